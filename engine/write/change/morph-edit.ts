import type { MorphAttribute } from '../../schema/attribute.js'
import type { TypedReference } from '../../values/stored-types.js'
import { readRelation } from '../body/relation-payload.js'
import type { FindTarget } from '../body/targets.js'
import { resolveEdit } from './relation-edit.js'
import { applyRelation } from './relation-positions.js'

type Named = Pick<TypedReference, '__type' | 'documentId'>

/** Like `editReferences`, but identifies targets by type and documentId. */
export function editTypedReferences(
  attribute: MorphAttribute,
  value: unknown,
  before: readonly TypedReference[],
  find: FindTarget,
  connectedAt: number,
  path: readonly string[],
): readonly TypedReference[] {
  const named = new Map<string, Named>()
  const keyOf = ({ __type, documentId }: Named): string => {
    const key = `${__type} ${documentId}`
    named.set(key, { __type, documentId })
    return key
  }
  const orders = new Map(before.map((reference) => [keyOf(reference), reference.order]))
  const findByKey: FindTarget = (_, item) => {
    const { type: __type = '' } = item
    const target = find(__type, item)
    const key = (documentId: string): string => keyOf({ __type, documentId })
    return target && { id: target.id, documentId: key(target.documentId), type: __type }
  }
  const edit = resolveEdit(readRelation(value), '', findByKey)
  return applyRelation([...orders.keys()], edit, path, attribute.many).map((key) => {
    const { __type, documentId } = named.get(key) as Named
    return { __type, documentId, order: orders.get(key) ?? connectedAt }
  })
}
