import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { typeOf, type Registry } from '../../engine/schema/registry.js'
import { actionsOf } from '../../server/accounts/permission-actions.js'
import { convertRow } from './content/convert-row.js'
import type { Mapped } from './import-record.js'
import type { Archive } from './archive/open-archive.js'
import type { FileRules } from './media/file-assets.js'
import type { Notes } from './notes.js'
import type { Overview } from './overview.js'
import { reportOf, type ImportReport } from './report.js'
import { permissionUid, unknownAction } from './staging/place-link.js'
import { readExport } from './staging/stage-export.js'

type Parts = Readonly<{
  archive: Archive
  overview: Overview
  /** With the folders of the media library. */
  registry: Registry
  notes: Notes
  files: FileRules
  missing: readonly SourcedDefinition[]
  differences: readonly string[]
  progress: (what: string) => void
}>

/**
 * Says what an import would do, without a database: each row is converted by itself, so that what shows only when rows
 * are together (which version of a document a row is, what its links lead to) is not looked at.
 */
export async function tryImport(parts: Parts): Promise<ImportReport> {
  const { overview, registry, notes, missing, differences } = parts
  const mapped: Record<string, Mapped> = {}
  const context = {
    ...{ registry, notes },
    referencesOf: () => [],
    componentIdOf: (_uid: string, id: number) => id,
  }
  const actions = new Set(actionsOf(registry).map(({ id }) => id))
  await readExport(parts, {
    row: (row) => {
      if (row.type === permissionUid) {
        const { action } = row.data
        if (typeof action === 'string' && !actions.has(action)) notes.leftOut(unknownAction(action))
        return Promise.resolve()
      }
      const type = typeOf(registry, row.type)
      convertRow(type, row.data, row.id, context)
      const { rows, documents, drafts, published } = mapped[row.type] ?? none
      const isDraft = type.draftAndPublish && (row.data['publishedAt'] ?? null) === null
      mapped[row.type] = {
        rows: rows + 1,
        documents,
        drafts: drafts + (isDraft ? 1 : 0),
        published: published + (isDraft ? 0 : 1),
      }
      return Promise.resolve()
    },
    link: () => Promise.resolve(),
    asset: () => Promise.resolve(),
  })
  const { assets } = overview
  return reportOf(
    parts,
    { stage: 'tried', mapped, media: assets, notes: notes.list() },
    { missing, differences },
  )
}

const none: Mapped = { rows: 0, documents: 0, drafts: 0, published: 0 }
