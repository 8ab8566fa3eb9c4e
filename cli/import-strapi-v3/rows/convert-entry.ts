import type { ExportedEntity } from '../../import-strapi/archive/exported.js'
import type { Notes } from '../../import-strapi/notes.js'
import { otherwiseKept } from '../models/built-in-models.js'
import type { Model } from '../models/model.js'
import { convertRow, type ConvertContext } from './convert-row.js'
import type { V3Row, NumberedRow } from './number-rows.js'
import { plainValue } from './plain-value.js'

/** Fields that rows contain in addition to their attributes. */
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

/** Converts a row to its versions: a draft in types with drafts, and a published version if it was published. */
export async function convertEntry(
  model: Model,
  row: V3Row,
  { documentId, refs }: NumberedRow,
  { defaultLocale, ...context }: ConvertContext & Readonly<{ defaultLocale: string }>,
): Promise<readonly ExportedEntity[]> {
  const { uid, timestamps, draftAndPublish, localized } = model
  noteRemoved(model, row, context.notes)
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
  if (made.length > 1) context.notes.added('published rows, which also get a draft', uid)
  const v3Id = row._id.toHexString()
  return made.map((id, at): ExportedEntity => {
    const isDraft = draftAndPublish && at === 0
    return {
      type: uid,
      id,
      formerId: v3Id,
      data: { ...data, publishedAt: isDraft ? null : publishedAt },
    }
  })
}

/**
 * Returns when a row was created and last changed. If the row does not store the time of creation, takes it from the
 * row's ObjectId.
 */
function timesOf(row: V3Row, [created, updated]: Model['timestamps'] = ['', '']) {
  const createdAt = plainValue(row[created]) ?? row._id.getTimestamp().toISOString()
  return { createdAt, updatedAt: plainValue(row[updated]) ?? createdAt }
}

/** Reports values of removed attributes, which Strapi 3 does not delete from rows. */
function noteRemoved({ uid, attributes, timestamps }: Model, row: V3Row, notes: Notes): void {
  for (const name of Object.keys(row))
    if (
      !ownFields.has(name) &&
      !Object.hasOwn(attributes, name) &&
      timestamps?.includes(name) !== true &&
      otherwiseKept[uid]?.includes(name) !== true
    )
      notes.leftOut(
        `values of ${uid}.${name.slice(0, 100)}, which is not an attribute`,
        row._id.toHexString(),
      )
}
