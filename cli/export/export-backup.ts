import { join } from 'node:path'
import { refuseHalfCopied } from '../../server/database/half-copied.js'
import { createTar } from '../../server/backup/archive/write-tar.js'
import { readConsistently, type ChosenMoment } from '../../server/backup/read-consistently.js'
import { exportAt, type Exported } from '../../server/backup/export-at.js'
import { createFileNames } from '../../server/backup/file-names.js'
import {
  selectionOf,
  type SelectionRequest,
  type Selection,
} from '../../server/backup/selection.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import { onProgress } from '../progress.js'
import { withStores } from '../media/with-stores.js'
import { ownVersion } from '../../server/settings/own-version.js'
import { withContent, type OpenContent } from '../with-database.js'

export type ExportOptions = Readonly<{
  file: string
  requested: SelectionRequest
  /** Whether to export without a snapshot: each entry as it is when it is read. */
  live: boolean
  secrets: boolean
}>

/** A summary of what was exported. */
export type ExportReport = Exported &
  Readonly<{
    file: string
    bytes: number
  }>

/** Writes a backup of the database that the service would use. */
export async function exportBackup(options: ExportOptions): Promise<ExportReport> {
  return withContent('export', async (content) => {
    await refuseHalfCopied(content.db)
    const registry = withFolders(content.registry)
    const selection = selectionOf(options.requested, registry.contentTypes.keys())
    return readConsistently(content, options.live, (chosen) =>
      exportFile({ ...content, registry }, chosen, selection, options),
    )
  })
}

async function exportFile(
  content: OpenContent,
  chosen: ChosenMoment,
  selection: Selection,
  { file, secrets }: ExportOptions,
): Promise<ExportReport> {
  const { db, registry, config } = content
  const tar = await createTar(file)
  try {
    const names = await createFileNames(join(tar.folder, 'files-'))
    try {
      const exported = await withStores(content, (providers) => {
        const about = { db, registry, selection, secrets, providers, progress: onProgress }
        const hasTokenSalt = config.apiTokenSalt !== undefined
        return exportAt({ ...about, quire: ownVersion(), hasTokenSalt, tar, names }, chosen)
      })
      const bytes = await tar.finish()
      return { file, bytes, ...exported }
    } finally {
      await names.remove()
    }
  } finally {
    await tar.discard()
  }
}
