import { targetOf } from '../../schema/edge-attribute.js'
import { mediaTypeOf } from '../../schema/media-type.js'
import type { RelationItem, RelationPayload } from '../body/relation-payload.js'
import { readRelation, showRelation } from '../body/relation-payload.js'
import type { Edge, FindTarget } from '../body/targets.js'
import type { Failure } from '../body/failure.js'

/**
 * Finds files in a body that their media attribute does not allow (`allowedTypes`; docs/internals/decisions.md, "Types
 * of files in a media attribute"). Files that are already stored are not checked.
 */
export function checkAllowedTypes(edges: readonly Edge[], find: FindTarget): readonly Failure[] {
  return edges.flatMap(({ attribute, value, path }) => {
    if (attribute.type !== 'media' || attribute.allowedTypes.length === 0) return []
    const { allowedTypes } = attribute
    const uid = targetOf(attribute)
    const refused = givenBy(readRelation(value)).find((item) => {
      const mime = find(uid, item)?.mime
      return mime !== undefined && !allowedTypes.includes(mediaTypeOf(mime))
    })
    if (refused === undefined) return []
    const file = 'id' in refused.target ? refused.target.id : `"${refused.target.documentId}"`
    const expected = allowedTypes.join(', ')
    const message = `${path.join('.')} allows files of these types only: ${expected}. The file ${file} has another type`
    return [{ path, message, value: showRelation(value), help: { expected } }]
  })
}

/** Returns the items that a payload sets or connects. */
function givenBy(payload: RelationPayload): readonly RelationItem[] {
  if (payload.kind === 'invalid') return []
  return payload.kind === 'set' ? payload.items : payload.connect
}
