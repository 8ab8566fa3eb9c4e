import type { ContentType, Status } from '../../../engine/schema/content-type.js'
import { keyOf, type ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'

/** A row, with the status and locale of the entry version made from it. */
export type ChosenVersion<R> = Readonly<{
  row: R
  status: Status
  locale: string | null
}>

type ChooseContext = Readonly<{ notes: Notes; defaultLocale: string }>

/**
 * Chooses a row for each locale and status of a document. Reports the other rows, such as drafts of a type without
 * drafts.
 */
export function chooseVersions<R extends Pick<ExportedEntity, 'id' | 'data'>>(
  type: ContentType,
  rows: readonly R[],
  { defaultLocale, notes }: ChooseContext,
): readonly ChosenVersion<R>[] {
  const byVersion = new Map<string, ChosenVersion<R>>()
  // If several rows stand for the same version, the last one in this order is used: a published row, if there is one.
  const isPublished = ({ data }: R): boolean => (data.publishedAt ?? null) !== null
  const ordered = [...rows].sort(
    (a, b) =>
      Number(isPublished(a)) - Number(isPublished(b)) ||
      Number(a.data.locale === defaultLocale) - Number(b.data.locale === defaultLocale) ||
      a.id - b.id,
  )
  for (const row of ordered) {
    const status = type.draftAndPublish && !isPublished(row) ? 'draft' : 'published'
    const given = row.data.locale
    const locale = type.localized ? (typeof given === 'string' ? given : defaultLocale) : null
    if (type.localized && typeof given !== 'string')
      notes.adapted(
        `rows of ${type.uid} without a locale, which get the default locale`,
        keyOf(type.uid, row.id),
      )
    const key = `${status} ${locale ?? ''}`
    const other = byVersion.get(key)
    if (other !== undefined)
      notes.leftOut(
        `further rows of a document of ${type.uid} in one locale`,
        keyOf(type.uid, other.row.id),
        type.uid,
      )
    byVersion.set(key, { row, status, locale })
  }
  return [...byVersion.values()]
}
