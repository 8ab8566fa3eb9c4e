import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { Body } from './read-body.js'

/**
 * Rejects a body that also changes published content, for clients who may only write drafts
 * (docs/internals/decisions.md, "Permissions are given one by one"). A body does so if it edits a relation that is
 * stored in entries without drafts.
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
