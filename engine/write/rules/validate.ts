import { ValidationError } from 'yup'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { PatternAnswers, PatternContext } from './patterns.js'
import type { Body } from '../body/read-body.js'
import type { RuleMode } from './required.js'
import type { Failure } from './failure.js'
import { inOrder } from './failure-order.js'
import { helpFor } from './help-for.js'
import { isPlainlyRight } from './plainly-right.js'
import { structureRule } from './structure-rules.js'

export type Validated = Readonly<{
  /** The body with its values cast to their types; of use where they are right. */
  value: Body
  failures: readonly Failure[]
}>

/** Stacks of errors that nobody sees take most of the time where there are many. */
const options = { abortEarly: false, disableStackTrace: true } as const

/** Checks a body by the rules of its type. Nothing is looked up. */
export function validate(
  type: ContentType,
  body: Body,
  mode: RuleMode,
  registry: Registry,
  patterns: PatternAnswers,
): Validated {
  if (isPlainlyRight(type, body, mode, registry)) return { value: body, failures: [] }
  const context: PatternContext = { patterns }
  try {
    const rule = structureRule(type, mode, registry)
    return { value: rule.validateSync(body, { ...options, context }) as Body, failures: [] }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const inner = error.inner.length === 0 ? [error] : error.inner
    const failures = inOrder(type, body, inner.map(failureOf), registry)
    return { value: error.value as Body, failures }
  }
}

function failureOf(error: ValidationError): Failure {
  const { path, message } = error
  const value = error.value as unknown
  const help = helpFor(error)
  return { path: pathOf(path), message, value, ...(help === undefined ? {} : { help }) }
}

/** `seo.social[0].network` as its parts; attribute names hold neither dots nor brackets. */
function pathOf(path: string | undefined): readonly string[] {
  return path === undefined || path === '' ? [] : path.replaceAll(']', '').split(/[.[]/)
}
