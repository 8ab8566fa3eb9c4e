import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { Body } from './read-body.js'

/**
 * Refuses what a body for a draft would change beside drafts: a relation that entries of a type without
 * drafts store is theirs, and shown to everybody, as soon as it is written. For callers who may write drafts
 * alone (docs/decisions.md, "Permissions are given one by one").
 * @throws ApiError 400 that names the relation
 */
export function checkDraftOnly(body: Body, type: ContentType, registry: Registry): void {
  for (const key of Object.keys(body)) {
    const attribute = type.attributes.get(key)
    if (attribute?.type !== 'relation' || attribute.owner) continue
    if (!typeOf(registry, attribute.target).draftAndPublish)
      throw fail('invalid-key', { key }, { key, path: key, source: 'body' })
  }
}
