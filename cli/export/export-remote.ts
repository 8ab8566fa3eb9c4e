import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formOf } from '../../server/backup/archive/compression.js'
import { openNewFile } from '../../server/backup/archive/new-file.js'
import { ArchiveError } from '../../server/backup/archive/tar-files.js'
import { readArchive } from '../../server/backup/read-archive.js'
import { onProgress } from '../progress.js'
import { openAdminFetch, type Remote } from '../admin-client.js'
import type { ExportOptions, ExportReport } from './export-backup.js'

/**
 * Exports from a running service. Keeps the archive only if it is complete and its checksums match.
 * @throws ArchiveError if the archive is incomplete
 */
export async function exportRemote(
  remote: Remote,
  { file, requested, live }: Omit<ExportOptions, 'secrets'>,
): Promise<ExportReport> {
  const search = new URLSearchParams({
    format: formOf(file),
    only: requested.only.join(','),
    exclude: requested.exclude.join(','),
    live: String(live),
  })
  const created = await openNewFile(file)
  try {
    onProgress('Waiting for the service')
    const target = created.handle.createWriteStream({ flush: true })
    try {
      const send = await openAdminFetch(remote)
      const { body } = await send(`/admin/export?${search.toString()}`)
      await pipeline(
        Readable.from((body ?? []) as AsyncIterable<Uint8Array>),
        counting((bytes) => onProgress(`Receiving: ${Math.round(bytes / 1e6)} MB`)),
        target,
      ).catch((error: unknown) => {
        throw new ArchiveError(`The download of the archive was interrupted: ${String(error)}`)
      })
    } finally {
      target.destroy()
      await created.handle.close().catch(() => undefined)
    }
    onProgress('Comparing checksums')
    const { manifest, end } = await readArchive(created.path)
    const { exportedAt, moment, asked, secrets } = manifest
    const { entries, tokens, files, missing, tokensAreLost, checksum } = end
    const bytes = await created.finish()
    return {
      ...{ file, bytes, exportedAt, moment, asked, secrets },
      ...{ entries, tokens, files, missing, tokensAreLost, checksum },
    }
  } finally {
    await created.discard()
  }
}

function counting(report: (bytes: number) => void): Transform {
  let bytes = 0
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      bytes += chunk.byteLength
      report(bytes)
      done(null, chunk)
    },
  })
}
