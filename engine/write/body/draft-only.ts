import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { Body } from './read-body.js'

/**
 * Rejects edits of relations that are stored in entries of types without draft & publish, because clients who may only
 * write drafts must not change published content (docs/internals/decisions.md, "Permissions are given one by one").
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
