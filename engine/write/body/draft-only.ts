import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { Body } from './read-body.js'

/**
 * Rejects a body that changes more than drafts, for callers who may only write drafts (docs/internals/decisions.md, "Permissions
 * are given one by one"). That is the case if the body edits a relation that is stored in entries without drafts: these
 * are public at once.
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
