import { fail } from '../../engine/errors.js'
import { collectionOf, type ContentType, type Status } from '../../engine/schema/content-type.js'
import { allows } from '../../engine/schema/grant.js'
import type { Caller, Writer } from '../accounts/caller.js'
import { lacking } from '../accounts/lacking.js'
import type { Services } from '../services.js'

/**
 * Returns a function that attaches the uploaded files to an entry, or undefined if the body does not ask for that:
 * `ref=api::author.author&refId=7&field=avatar`. `refId` may be a documentId, for the version in the default locale,
 * preferably published. Throws `forbidden` without permission to update the entry, `validation` for invalid members.
 */
export async function resolveAttachment(
  services: Services,
  caller: Caller,
  by: Writer,
  body: Readonly<Record<string, unknown>>,
): Promise<((fileIds: readonly number[]) => Promise<unknown>) | undefined> {
  const { ref, refId, field } = body
  if (ref === undefined && refId === undefined && field === undefined) return undefined
  const type = typeof ref === 'string' ? services.registry().contentTypes.get(ref) : undefined
  if (type === undefined) throw wrong('ref', 'the uid of a content-type')
  if (!allows(caller.grant, type.uid, 'update')) throw lacking(caller, `${type.uid}.update`)
  const attribute = typeof field === 'string' ? type.attributes.get(field) : undefined
  if (attribute?.type !== 'media') throw wrong('field', `a media attribute of ${type.uid}`)
  const named = typeof refId === 'string' || typeof refId === 'number' ? `${refId}` : undefined
  const version = named === undefined ? undefined : await findVersion(services, type, named)
  if (version === undefined) throw wrong('refId', `the id or documentId of an entry of ${type.uid}`)
  const { documentId, status, locale } = version
  return async (fileIds) => {
    if (!attribute.multiple && fileIds.length > 1)
      throw wrong('field', 'a media attribute that holds many files')
    const value = attribute.multiple ? { connect: fileIds } : (fileIds[0] ?? null)
    const request = { ...by, grant: caller.grant, status, locale: locale ?? undefined }
    return services.documents.update(type, documentId, { [attribute.name]: value }, request)
  }
}

/**
 * Finds a version by record id or documentId. Drafts and published versions share one sequence of record ids; a
 * documentId is never a number.
 */
async function findVersion(services: Services, type: ContentType, named: string) {
  const locale = type.localized ? services.locales().default : null
  const query = /^\d{1,15}$/.test(named) ? { _id: Number(named) } : { documentId: named, locale }
  const statuses: readonly Status[] = type.draftAndPublish ? ['published', 'draft'] : ['published']
  for (const status of statuses) {
    const entry = await services.db
      .collection<{ _id: number; documentId: string; locale: string | null }>(
        collectionOf(type, status),
      )
      .findOne(query, { projection: { documentId: 1, locale: 1 } })
    if (entry !== null) return { documentId: entry.documentId, status, locale: entry.locale }
  }
  return undefined
}

const wrong = (path: string, expected: string) =>
  fail('validation', `${path} must be ${expected}`, { path, source: 'body' })
