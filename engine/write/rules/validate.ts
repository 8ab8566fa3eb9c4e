import { ValidationError } from 'yup'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { PatternAnswers, PatternContext } from './patterns.js'
import type { Body } from '../body/read-body.js'
import type { RuleMode } from './required.js'
import { structureRule } from './structure-rules.js'
import { fail } from '../../errors.js'

export type Validated = Readonly<{
  /** The body with its values cast to their types; of use where they are right. */
  value: Body
  failures: readonly Failure[]
}>

/** Stacks of errors that nobody sees take most of the time where there are many. */
const options = { abortEarly: false, disableStackTrace: true } as const

/** Checks a body by the rules of its type, in the order of its attributes. Nothing is looked up. */
export function validate(
  type: ContentType,
  body: Body,
  mode: RuleMode,
  registry: Registry,
  patterns: PatternAnswers,
): Validated {
  const context: PatternContext = { patterns }
  try {
    const rule = structureRule(type, mode, registry)
    return { value: rule.validateSync(body, { ...options, context }) as Body, failures: [] }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const inner = error.inner.length === 0 ? [error] : error.inner
    return { value: error.value as Body, failures: inner.map(failureOf) }
  }
}

function failureOf({ path, message, value }: ValidationError): Failure {
  return { path: pathOf(path), message, value: value as unknown }
}

/** `seo.social[0].network` as its parts; attribute names hold neither dots nor brackets. */
function pathOf(path: string | undefined): readonly string[] {
  return path === undefined || path === '' ? [] : path.replaceAll(']', '').split(/[.[]/)
}

/** One thing that is wrong with a body, as `details.errors` tells it. */
export type Failure = Readonly<{
  /** `['seo', 'social', '0', 'network']`; empty for the body as a whole. */
  path: readonly string[]
  message: string
  value: unknown
}>

/** All failures of one phase in one error; the only one's message, or their number. */
export function throwFailures(failures: readonly Failure[]): void {
  const [first] = failures
  if (first === undefined) return
  const message = failures.length === 1 ? first.message : `${failures.length} errors occurred`
  const errors = failures.map(({ path, message, value }) => ({
    path,
    message,
    name: 'ValidationError',
    ...(value === undefined ? {} : { value }),
  }))
  throw fail('validation', { message }, { errors })
}
