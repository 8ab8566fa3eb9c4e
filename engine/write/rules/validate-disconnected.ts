import type { Registry } from '../../schema/registry.js'
import type { Change } from '../change/change.js'
import { edgesIn } from '../body/targets.js'
import type { Failure } from '../body/failure.js'
import type { PatternAnswers } from './patterns.js'
import type { Body } from '../body/read-body.js'
import { readRelation } from '../body/relation-payload.js'
import type { SaveRequest } from '../change/resolve-change.js'
import { validatePublished } from './validate-save.js'
import type { Hashes } from '../change/store-scalar.js'

/**
 * Finds required relation and media fields that a resolved change leaves without a target. A publish validates
 * everything, so only types without draft & publish need this.
 */
export function validateDisconnected(
  change: Change,
  request: Pick<SaveRequest, 'type' | 'body' | 'registry' | 'requiredRelations'>,
  hashes: Hashes,
  patterns: PatternAnswers,
): readonly Failure[] {
  const { body, registry } = request
  if (change.type.draftAndPublish || !disconnects(change, body, registry)) return []
  return validatePublished(change, registry, hashes, patterns, request).failures.filter(
    ({ path: [name = ''] }) => Object.hasOwn(body, name),
  )
}

function disconnects({ type }: Change, body: Body, registry: Registry): boolean {
  for (const { attribute, value } of edgesIn(type, body, registry)) {
    const payload = attribute.required ? readRelation(value) : undefined
    if (payload?.kind === 'edit' && payload.disconnect.length > 0) return true
  }
  return false
}
