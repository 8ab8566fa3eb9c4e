import type { Registry } from '../../schema/registry.js'
import type { Change } from '../change/change.js'
import { versionIn } from '../change/change.js'
import { withKnownEntries } from '../change/components.js'
import type { OpenSave, SaveRequest } from '../change/resolve-change.js'
import { copiedValues } from '../change/resolve-change.js'
import type { Hashes } from '../change/store-scalar.js'
import { viewStructure } from '../change/view-stored.js'
import type { PatternAnswers } from './patterns.js'
import type { RuleMode } from './required.js'
import type { Validated } from './validate.js'
import { validate } from './validate.js'

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

/** The second phase of validation, for writes that publish: all values of the version, by all rules. */
export function validatePublished(
  change: Change,
  registry: Registry,
  hashes: Hashes,
  patterns: PatternAnswers,
  { type, requiredRelations }: Pick<SaveRequest, 'type' | 'requiredRelations'>,
): Validated {
  const view = viewStructure(type, change.content, registry, hashes)
  const mode: RuleMode = { rules: 'full', absent: 'new', requiredRelations }
  return validate(type, view, mode, registry, patterns)
}
