import type { MorphAttribute } from '../../schema/attribute.js'
import type { TypedReference } from '../../values/stored-types.js'
import { readRelation } from '../body/relation-payload.js'
import type { FindTarget } from '../body/targets.js'
import { resolveEdit } from './relation-edit.js'
import { applyRelation } from './relation-positions.js'

type Named = Pick<TypedReference, '__type' | 'documentId'>

/** The references of a polymorphic relation after a payload: as of any relation, each known by its type too. */
export function editTypedReferences(
  attribute: MorphAttribute,
  value: unknown,
  before: readonly TypedReference[],
  find: FindTarget,
  connectedAt: number,
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
    return target && { id: target.id, documentId: keyOf({ __type, documentId: target.documentId }) }
  }
  const edit = resolveEdit(readRelation(value), '', findByKey)
  return applyRelation([...orders.keys()], edit, attribute.many).map((key) => {
    const { __type, documentId } = named.get(key) as Named
    return { __type, documentId, order: orders.get(key) ?? connectedAt }
  })
}
