import type { ExportedEntity } from '../../import-strapi/archive/exported.js'
import type { Notes } from '../../import-strapi/notes.js'
import { otherwiseKept } from '../models/built-in-models.js'
import type { Model } from '../models/model.js'
import { convertRow, type ConvertContext } from './convert-row.js'
import type { FormerRow, NumberedRow } from './number-rows.js'
import { plainValue } from './plain-value.js'

/** What a row has beside its attributes. */
const ownFields: ReadonlySet<string> = new Set([
  '_id',
  'id',
  '__v',
  'created_by',
  'updated_by',
  'published_at',
  'locale',
  'localizations',
  'createdAt',
  'updatedAt',
])

/**
 * The versions of a row: of a type with drafts the draft, and the published one where it was published. They share
 * their components.
 */
export async function convertEntry(
  model: Model,
  row: FormerRow,
  { documentId, refs }: NumberedRow,
  { defaultLocale, ...context }: ConvertContext & Readonly<{ defaultLocale: string }>,
): Promise<readonly ExportedEntity[]> {
  const { uid, timestamps, draftAndPublish, localized } = model
  tellRemoved(model, row, context.notes)
  const publishedAt = draftAndPublish ? plainValue(row.published_at) : null
  const isPublished = publishedAt !== null
  const made = draftAndPublish && !isPublished ? refs.slice(0, 1) : refs
  const attributes = await convertRow({ model, row, refs: made }, context)
  const { locale } = row
  const data = {
    ...attributes,
    documentId,
    ...timesOf(row, timestamps),
    locale: localized ? (typeof locale === 'string' ? locale : defaultLocale) : null,
  }
  if (made.length > 1) context.notes.added('published rows, which are a draft, too', uid)
  const formerId = row._id.toHexString()
  return made.map((id, at): ExportedEntity => {
    const isDraft = draftAndPublish && at === 0
    return { type: uid, id, formerId, data: { ...data, publishedAt: isDraft ? null : publishedAt } }
  })
}

/** Where no fields are kept for it, an id says when it was made. */
function timesOf(row: FormerRow, [created, updated]: Model['timestamps'] = ['', '']) {
  const createdAt = plainValue(row[created]) ?? row._id.getTimestamp().toISOString()
  return { createdAt, updatedAt: plainValue(row[updated]) ?? createdAt }
}

/** Strapi 3 leaves what an attribute kept where the attribute is taken away. */
function tellRemoved({ uid, attributes, timestamps }: Model, row: FormerRow, notes: Notes): void {
  for (const name of Object.keys(row))
    if (
      !ownFields.has(name) &&
      !Object.hasOwn(attributes, name) &&
      timestamps?.includes(name) !== true &&
      otherwiseKept[uid]?.includes(name) !== true
    )
      notes.leftOut(
        `values of ${uid}.${name.slice(0, 100)}, which is no attribute any more`,
        row._id.toHexString(),
      )
}
