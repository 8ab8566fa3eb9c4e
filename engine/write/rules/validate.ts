import { ValidationError } from 'yup'
import type { Attribute } from '../../schema/attribute.js'
import { structuresOf } from '../../schema/attributes-in.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { PatternAnswers, PatternContext } from './patterns.js'
import type { Body } from '../body/read-body.js'
import type { RuleMode } from './required.js'
import type { Failure, Help } from '../body/failure.js'
import { isTriviallyValid } from './is-trivially-valid.js'
import { structureRule } from './structure-rules.js'
import { nearestName } from '../../errors/nearest-name.js'
import { claimedComponent } from '../../schema/members-in.js'
import { isObject } from '../../values/is-object.js'

export type Validated = Readonly<{
  /** The body with converted values, only for use if there are no failures. */
  value: Body
  failures: readonly Failure[]
}>

/** With many failures, stack traces would take most of the time. */
const options = { abortEarly: false, disableStackTrace: true } as const

/** Validates a body without accessing the database. */
export function validate(
  type: ContentType,
  body: Body,
  mode: RuleMode,
  registry: Registry,
  patterns: PatternAnswers,
): Validated {
  if (isTriviallyValid(type, body, mode, registry)) return { value: body, failures: [] }
  const context: PatternContext = { patterns }
  try {
    const rule = structureRule(type, mode, registry)
    return { value: rule.validateSync(body, { ...options, context }) as Body, failures: [] }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const inner = error.inner.length === 0 ? [error] : error.inner
    const failures = inner.map((one) => failureOf(one, type, registry))
    return { value: error.value as Body, failures: inOrder(type, body, failures, registry) }
  }
}

function failureOf(error: ValidationError, type: ContentType, registry: Registry): Failure {
  const { path = '', message } = error
  const value = error.value as unknown
  const help = helpFor(error)
  return { path: pathOf(path, type, registry), message, value, ...(help && { help }) }
}

/**
 * Splits a path from yup: `seo.social[0].network`. Names may contain brackets and dots, so the longest known name
 * counts.
 */
function pathOf(path: string, type: ContentType, registry: Registry): readonly string[] {
  const parts: string[] = []
  let structures: readonly Structure[] = [type]
  let isIndex = false
  for (let rest = path; rest !== ''; rest = rest.replace(/^\./, '')) {
    const index = isIndex ? /^\[(\d+)\]/.exec(rest)?.[1] : undefined
    const attribute = index === undefined ? attributeAt(rest, structures) : undefined
    const part = index ?? attribute?.name ?? /^[^.[]+/.exec(rest)?.[0] ?? rest
    parts.push(part)
    if (index === undefined) structures = attribute ? structuresOf(attribute, registry) : []
    rest = rest.slice(index === undefined ? part.length : index.length + 2)
    isIndex = rest.startsWith('[')
  }
  return parts
}

function attributeAt(path: string, structures: readonly Structure[]): Attribute | undefined {
  const isHere = ({ name }: Attribute): boolean =>
    path.startsWith(name) && /^(?:$|[.[])/.test(path.slice(name.length))
  return structures
    .flatMap(({ attributes }) => [...attributes.values()].filter(isHere))
    .sort((one, other) => other.name.length - one.name.length)[0]
}

/** Describes what the violated rule expects, and suggests what the client may have meant. */
function helpFor({ type, params = {}, value }: ValidationError): Help | undefined {
  switch (type) {
    case 'oneOf': {
      const known = (params['resolved'] as readonly unknown[]).filter(
        (one) => typeof one === 'string',
      )
      return { expected: `one of: ${known.join(', ')}`, ...suggested(value, known) }
    }
    case 'typeError':
      return { expected: `a value of type ${String(params['type'])}`, ...suggested(value) }
    case 'form':
      return { expected: String(params['expected']), ...suggested(value) }
    case 'nullable':
    case 'optionality':
      return { expected: 'a value', suggestion: 'Send a value: it is required' }
    case 'min':
    case 'max':
      return boundOf(type, params[type], value)
    default:
      return undefined
  }
}

function suggested(value: unknown, known: readonly string[] = []): Help {
  if (value === '') return { suggestion: 'For no value, send null' }
  const suggestion = typeof value === 'string' ? nearestName(value, known) : undefined
  return suggestion === undefined ? {} : { suggestion }
}

function boundOf(rule: 'min' | 'max', limit: unknown, value: unknown): Help | undefined {
  if (typeof limit !== 'number') return undefined
  return { bound: typeof value === 'string' ? `${rule}Length` : rule, limit }
}

/**
 * Sorts failures by the order of the attributes in the definition and of list items. A failure of a list comes after
 * those of its items, a failure of the whole body last of all. yup's own sorting confuses `username` with an attribute
 * named `name`.
 */
export function inOrder(
  structure: Structure,
  body: unknown,
  failures: readonly Failure[],
  registry: Registry,
): readonly Failure[] {
  if (failures.length < 2) return failures
  return failures
    .map((failure) => ({ failure, ranks: ranksOf(structure, body, failure.path, registry) }))
    .sort((a, b) => compareRanks(a.ranks, b.ranks))
    .map(({ failure }) => failure)
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, index) => rank !== b[index])
  // If one path is the beginning of the other, the longer one comes first.
  if (at < 0 || at >= b.length) return b.length - a.length
  return (a[at] ?? 0) - (b[at] ?? 0)
}

/** Returns the position in the definition, or in the list, of each part of a path. */
function ranksOf(
  type: Structure,
  body: unknown,
  path: Failure['path'],
  registry: Registry,
): readonly number[] {
  let structure: Structure | undefined = type
  let attribute: Attribute | undefined
  let here = body
  return path.map((name) => {
    const isItem = Array.isArray(here)
    here = isItem || isObject(here) ? (here as Record<string, unknown>)[name] : undefined
    if (isItem) {
      structure = attribute && claimedComponent(here, attribute, registry)
      return Number(name)
    }
    const rank: number = structure === undefined ? -1 : rankOf(structure, name)
    attribute = structure?.attributes.get(name)
    structure = attribute && claimedComponent(here, attribute, registry)
    return rank
  })
}

/** Returns the position of an attribute in the definition; -1 for other names, such as `__component`. */
function rankOf(structure: Structure, name: string): number {
  const ranks =
    known.get(structure) ?? new Map([...structure.attributes.keys()].map((key, at) => [key, at]))
  known.set(structure, ranks)
  return ranks.get(name) ?? -1
}

const known = new WeakMap<Structure, ReadonlyMap<string, number>>()
