import type { PatternChecker } from '../patterns/pattern-check.js'
import type { ContentType } from '../schema/content-type.js'
import type { Fields } from '../values/stored-types.js'
import { viewStructure } from './change/view-stored.js'
import { withPatterns } from './decide-save.js'
import { concealStored } from './rules/conceal-stored.js'
import type { Failure } from './body/failure.js'
import { createPatternAnswers } from './rules/patterns.js'
import type { RuleMode } from './rules/required.js'
import { validate } from './rules/validate.js'
import type { WriteContext } from './write-context.js'

/** Returns the failures of publishing a stored version, without private values. Does not look up unique values. */
export async function findInvalid(
  {
    registry,
    requiredRelations,
    checkPatterns,
  }: Pick<WriteContext, 'registry' | 'requiredRelations'> &
    Readonly<{ checkPatterns: PatternChecker }>,
  type: ContentType,
  stored: Fields,
): Promise<readonly Failure[]> {
  const patterns = createPatternAnswers()
  const mode: RuleMode = { rules: 'full', absent: 'new', requiredRelations }
  const view = viewStructure(type, stored, registry, new Map())
  const { failures } = await withPatterns(patterns, checkPatterns, () =>
    validate(type, view, mode, registry, patterns),
  )
  return concealStored(failures, { type, registry }, () => false)
}
