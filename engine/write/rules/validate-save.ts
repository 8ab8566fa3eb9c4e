import type { Registry } from '../../schema/registry.js'
import { type Change, versionIn } from '../change/change.js'
import { withKnownEntries, viewStructure } from '../change/store-structure.js'
import { type OpenSave, type SaveRequest, copiedValues } from '../change/resolve-change.js'
import type { Hashes } from '../change/store-scalar.js'
import type { PatternChecker } from '../../patterns/pattern-check.js'
import type { Fields } from '../../values/stored-types.js'
import { concealStored } from './conceal-stored.js'
import { createPatternAnswers, type PatternAnswers, withPatterns } from './patterns.js'
import type { RuleMode } from './required.js'
import { type Validated, validate } from './validate.js'
import { edgesIn } from '../body/targets.js'
import type { Failure } from '../body/failure.js'
import type { Body } from '../body/read-body.js'
import { readRelation } from '../body/relation-payload.js'

/**
 * The first phase of validation: the values in a request.
 * @param rules default: `draft` for types with draft & publish, otherwise `full`
 */
export function validateSave(
  { request, versions, before, copy }: OpenSave,
  patterns: PatternAnswers,
  rules: RuleMode['rules'] = request.type.draftAndPublish ? 'draft' : 'full',
): Validated {
  const { type, registry, body, targetFailures, requiredRelations } = request
  const mode: RuleMode = {
    rules,
    absent: before !== undefined ? 'keep' : Object.keys(copy.fields).length === 0 ? 'new' : 'join',
    requiredRelations,
  }
  const published = versionIn(versions.published, request.locale)
  const known = withKnownEntries(type, body, before ?? copy.fields, published)
  const { value, failures } = validate(
    type,
    { ...copiedValues(request, copy), ...known },
    mode,
    registry,
    patterns,
  )
  return { value, failures: [...failures, ...targetFailures] }
}

type Publishing = Pick<SaveRequest, 'type' | 'registry' | 'requiredRelations'>

/** The second phase of validation, for writes that publish: all values of the version, by all rules. */
export function validatePublished(
  { content }: Pick<Change, 'content'>,
  { type, registry, requiredRelations }: Publishing,
  hashes: Hashes,
  patterns: PatternAnswers,
): Validated {
  const view = viewStructure(type, content, registry, hashes)
  const mode: RuleMode = { rules: 'full', absent: 'new', requiredRelations }
  return validate(type, view, mode, registry, patterns)
}

/** Returns the failures of publishing a stored version, without private values. Does not look up unique values. */
export async function findInvalid(
  request: Publishing,
  checkPatterns: PatternChecker,
  content: Fields,
): Promise<readonly Failure[]> {
  const patterns = createPatternAnswers()
  const { failures } = await withPatterns(patterns, checkPatterns, () =>
    validatePublished({ content }, request, new Map(), patterns),
  )
  return concealStored(failures, request, () => false)
}

/**
 * Finds required relation and media fields that a resolved change leaves without a target. A publish validates
 * everything, so only types without draft & publish need this.
 */
export function validateDisconnected(
  change: Change,
  request: Publishing & Pick<SaveRequest, 'body'>,
  hashes: Hashes,
  patterns: PatternAnswers,
): readonly Failure[] {
  const { body, registry } = request
  if (change.type.draftAndPublish || !disconnects(change, body, registry)) return []
  return validatePublished(change, request, hashes, patterns).failures.filter(
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
