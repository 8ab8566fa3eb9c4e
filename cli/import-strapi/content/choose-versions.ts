import type { ContentType, Status } from '../../../engine/schema/content-type.js'
import type { ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'

/** A row, and which version of its document it is. */
export type ChosenVersion = Readonly<{
  row: ExportedEntity
  status: Status
  locale: string | null
}>

/**
 * Which rows of a document are its versions: one for each locale and status. What Strapi has left in its tables beside
 * these (rows in locales of a type that was localized once, drafts of one that had them) is told.
 */
export function chooseVersions(
  type: ContentType,
  rows: readonly ExportedEntity[],
  defaultLocale: string,
  notes: Notes,
): readonly ChosenVersion[] {
  const byVersion = new Map<string, ChosenVersion>()
  // The later row of two wins, in a type without drafts the published one.
  const isPublished = ({ data }: ExportedEntity): boolean => (data['publishedAt'] ?? null) !== null
  const ordered = [...rows].sort(
    (a, b) =>
      Number(isPublished(a)) - Number(isPublished(b)) ||
      Number(isOfDefault(a, defaultLocale)) - Number(isOfDefault(b, defaultLocale)) ||
      a.id - b.id,
  )
  for (const row of ordered) {
    const status = type.draftAndPublish && !isPublished(row) ? 'draft' : 'published'
    const given = row.data['locale']
    const locale = type.localized ? (typeof given === 'string' ? given : defaultLocale) : null
    if (type.localized && typeof given !== 'string')
      notes.adapted(`rows of ${type.uid} without a locale, which get the default`, place(row))
    const key = `${status} ${locale ?? ''}`
    const other = byVersion.get(key)
    if (other !== undefined)
      notes.leftOut(`further rows of one document of ${type.uid} in a locale`, place(other.row))
    byVersion.set(key, { row, status, locale })
  }
  return [...byVersion.values()]
}

const isOfDefault = ({ data }: ExportedEntity, locale: string): boolean => data['locale'] === locale

const place = ({ type, id }: ExportedEntity): string => `${type}:${id}`
