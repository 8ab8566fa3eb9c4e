import { join } from 'node:path'
import { createExporting, type Exporting, type ExportingParts } from '../backup/exporting.js'
import { sweepTempFolders } from '../database/temp-folder.js'
import type { Config } from '../settings/config.js'
import { ownVersion } from '../settings/own-version.js'
import { s3OptionsOf } from '../upload/providers/s3-options.js'
import type { Closing } from './closing.js'

/** It says something every second, on a busy machine later. */
const leastSilentMs = 5000

/** Exports of this service; what one left whose process was killed is removed. */
export async function openExporting(
  { settings, s3Credentials, dataDir, apiTokenSalt }: Config,
  parts: Pick<ExportingParts, 'uri' | 'alone' | 'refusal' | 'writes'>,
  closing: Closing,
): Promise<Exporting> {
  await sweepTempFolders(dataDir, parts.alone)
  const exporting = createExporting({
    ...parts,
    dataDir,
    quire: ownVersion(),
    hasTokenSalt: apiTokenSalt !== undefined,
    chosen: settings['upload.provider'],
    uploads: join(dataDir, 'uploads'),
    s3: s3OptionsOf(settings, s3Credentials),
    // Whoever waits gives up after the whole of it.
    holdWithinMs: Math.min(
      settings['api.rest.writeTimeoutMs'],
      settings['api.rest.queryTimeoutMs'] / 2,
    ),
    silentWithinMs: Math.max(settings['api.rest.queryTimeoutMs'], leastSilentMs),
  })
  closing.add('The export', exporting.stop)
  return exporting
}
