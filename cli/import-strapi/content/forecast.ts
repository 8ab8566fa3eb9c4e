import { collectionOf, type ContentType, type Status } from '../../../engine/schema/content-type.js'
import { indexList, type Index } from '../../../engine/schema/index-list.js'
import { typeOf, type Registry } from '../../../engine/schema/registry.js'
import type { Fields } from '../../../engine/values/stored-types.js'
import { uniqueText } from '../../../engine/values/unique-list.js'
import type { RowError, VersionCheck } from '../../import-runner/check-versions.js'
import type { ExportedEntity } from '../archive/exported.js'
import type { Mapped } from '../export-record.js'
import type { FileRules } from '../media/file-assets.js'
import type { Notes } from '../notes.js'
import { adaptRow } from './adapt-row.js'
import { chooseVersions } from './choose-versions.js'
import { convertRow } from './convert-row.js'
import { noteRefused } from './note-refused.js'
import { noteTaken, withoutDrafts } from './write-content.js'

type ForecastParts = Readonly<{
  /** The types, including the folders of the media library. */
  registry: Registry
  notes: Notes
  files: FileRules
  defaultLocale: string
  check: VersionCheck
}>

/** The values of a row that determine its version, its unique values, and its validation errors. */
type KeptRow = Pick<ExportedEntity, 'id' | 'data'> &
  Readonly<{ unique: Fields; errors: readonly RowError[] }>

type KeptType = Readonly<{
  type: ContentType
  /** The database fields of unique indexes. */
  unique: readonly string[]
  documents: Map<string, KeptRow[]>
}>

/**
 * Predicts how many entries an import would write, without a database. Converts each row when it is added, and keeps
 * only a few of its values. Does not look up the targets of relations.
 */
export function createForecast({ registry, notes, files, defaultLocale, check }: ForecastParts) {
  const kept = new Map<string, KeptType>()
  const convertContext = {
    ...{ registry, notes },
    referencesOf: () => [],
    componentIdOf: (_uid: string, id: number) => id,
  }
  const adaptContext = { notes, files, actionsOf: () => [] }
  return {
    async add(row: ExportedEntity, documentId: string): Promise<void> {
      const { id, data } = row
      const of = kept.get(row.type) ?? keptType(typeOf(registry, row.type))
      kept.set(row.type, of)
      const fields = adaptRow(row, convertRow(of.type, data, id, convertContext), adaptContext)
      const { locale, publishedAt } = data
      const rows = of.documents.get(documentId) ?? []
      const isDraft = of.type.draftAndPublish && (publishedAt ?? null) === null
      const errors = isDraft ? [] : await check(of.type, fields)
      rows.push({ id, data: { locale, publishedAt }, unique: textsOf(of.unique, fields), errors })
      of.documents.set(documentId, rows)
    },
    /**
     * Returns how many entries an import would write, by uid. Reports why this number differs from that of the rows.
     */
    mapped: (): Readonly<Record<string, Mapped>> =>
      Object.fromEntries(
        [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([uid, of]) => [uid, count(of)]),
      ),
  }

  /** Processes the rows in the same order as an import, so that it leaves out the same duplicates. */
  function count({ type, documents }: KeptType): Mapped {
    const accept = {
      draft: createUniqueCheck(type, 'draft'),
      published: createUniqueCheck(type, 'published'),
    }
    const mapped = { rows: 0, documents: documents.size, drafts: 0, published: 0 }
    for (const [documentId, rows] of [...documents].sort(([a], [b]) => (a < b ? -1 : 1))) {
      mapped.rows += rows.length
      const versions = chooseVersions(type, rows, { notes, defaultLocale }).map(
        ({ row, status, locale }) => ({
          status,
          errors: row.errors,
          document: { ...row.unique, _id: row.id, documentId, locale },
        }),
      )
      const added = withoutDrafts(type, versions, notes).map(({ document }) => {
        return { status: 'draft', document, errors: [] } as const
      })
      for (const { status, document, errors } of [...versions, ...added])
        if (errors.length > 0) noteRefused(notes, type, document, errors)
        else if (accept[status](document)) mapped[status === 'draft' ? 'drafts' : 'published'] += 1
        else noteTaken(notes, type, status, document._id)
    }
    return mapped
  }
}

const uniqueIndexes = (type: ContentType, status: Status): readonly Index[] =>
  indexList(type)
    .filter(({ collection }) => collection === collectionOf(type, status))
    .flatMap(({ indexes }) => indexes.filter(({ unique }) => unique))

const keptType = (type: ContentType): KeptType => ({
  type,
  unique: uniqueIndexes(type, 'published').flatMap(({ fields }) => fields),
  documents: new Map(),
})

const textsOf = (names: readonly string[], fields: Fields): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name] ?? null
      return value === null ? [] : [[name, uniqueText(value)]]
    }),
  )

/** Creates a function that returns whether the unique indexes would accept one more version. */
function createUniqueCheck(type: ContentType, status: Status) {
  const indexes = uniqueIndexes(type, status).map((index) => ({ ...index, taken: new Set() }))
  return (version: Fields): boolean => {
    const keys = indexes
      .filter(({ partial }) => partial === undefined || version[partial.field] !== undefined)
      .map(({ fields, taken }) => ({
        taken,
        key: JSON.stringify(fields.map((field) => version[field] ?? null)),
      }))
    if (keys.some(({ taken, key }) => taken.has(key))) return false
    for (const { taken, key } of keys) taken.add(key)
    return true
  }
}
