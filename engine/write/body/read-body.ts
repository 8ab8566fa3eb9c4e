import { printValue } from 'yup'
import { fail } from '../../errors.js'
import { NumberText } from '../../values/number-text.js'
import { isObject } from '../../values/is-object.js'
import { isScalar, type Attribute } from '../../schema/attribute.js'
import { defaultOf } from '../../schema/default-of.js'
import type { ContentType, Structure } from '../../schema/content-type.js'
import { claimedComponent } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { jsonTypes } from '../../values/scalar-type.js'

/** `data` of a request body, not necessarily validated. */
export type Body = Readonly<Record<string, unknown>>

const maxDepth = 100
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', '_bsontype'])

/**
 * Checks that the `data` of a request is an object without anything that must not reach the database
 * (docs/internals/decisions.md, "Nothing a client sends is a 500"): NUL characters, lone surrogates, keys named
 * `__proto__` or `_bsontype` (by which the driver recognizes its own types), or more than 100 levels.
 * @param isSecret whether a list may contain a password, so that the error must not show it
 * @throws 400
 */
export function readBody(data: unknown, isSecret: () => boolean): Body {
  if (Array.isArray(data)) throw wrongType(data, isSecret())
  if (!isObject(data)) throw fail('missing-data')
  checkJson(data, '', 0)
  return data
}

/** Checks a part that is parsed later, such as a string of JSON, as `readBody` does. */
export function checkJson(value: unknown, path: string, depth: number): void {
  checkMember(value, { above: path, depth, steps: [] })
}

/** Position of the current value in the body. Recursive calls share `steps`, and leave it as they found it. */
type Place = Readonly<{ above: string; depth: number; steps: (string | number)[] }>

/** Such as `seo.links[2].url`. */
function pathOf({ above, steps }: Place): string {
  const text = (path: string, step: string | number): string =>
    typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`
  return steps.reduce(text, above)
}

function checkMember(value: unknown, place: Place): void {
  if (typeof value === 'string') checkText(value, place)
  if (typeof value === 'number' && !Number.isFinite(value)) throw beyondNumbers(place)
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return
  if (place.depth + place.steps.length >= maxDepth)
    throw wrongAt(place, `is nested deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) {
    value.forEach((item, at) => checkAt(at, item, place))
    return
  }
  for (const [key, member] of Object.entries(value)) {
    checkKey(key, place)
    checkAt(key, member, place)
  }
}

function checkAt(step: string | number, value: unknown, place: Place): void {
  place.steps.push(step)
  checkMember(value, place)
  place.steps.pop()
}

function checkKey(key: string, place: Place): void {
  if (!refusedKeys.has(key) && !key.includes('\0') && key.isWellFormed()) return
  const path = pathOf(place)
  throw fail(
    'invalid-key',
    { key, path: path === '' ? undefined : path },
    { key, path: path === '' ? null : path, source: 'body' },
  )
}

/**
 * Rejects a number that JSON allows but a double cannot represent, such as `1e999`.
 * @throws 400
 */
function checkNumber(value: number, path: string): void {
  if (!Number.isFinite(value)) throw beyondNumbers({ above: path, depth: 0, steps: [] })
}

const beyondNumbers = (place: Place): Error =>
  wrongAt(place, `must not hold a number beyond ${Number.MAX_VALUE}`)

function checkText(value: string, place: Place): void {
  if (value.includes('\0')) throw wrongAt(place, 'must not contain NUL')
  if (!value.isWellFormed()) throw wrongAt(place, 'must be well-formed Unicode')
}

function wrongAt(place: Place, what: string): Error {
  const path = pathOf(place)
  return fail('validation', `${path} ${what}`, { path, source: 'body' })
}

function wrongType(data: readonly unknown[], isSecret: boolean): Error {
  const cast = isSecret ? '' : ` (cast from the value \`${printValue(data, true) as string}\`)`
  const message = `data must be a \`object\` type, but the final value was: \`null\`${cast}.`
  return fail('validation', message, {
    errors: [{ path: ['data'], message, name: 'ValidationError', value: null }],
  })
}

/** Adds the default values of missing attributes. Null gets no default. */
export function withDefaults(body: Body, type: ContentType): Body {
  const defaults = [...type.attributes.values()].flatMap((attribute) =>
    isScalar(attribute) && attribute.default !== undefined
      ? [[attribute.name, defaultOf(attribute)] as const]
      : [],
  )
  return { ...Object.fromEntries(defaults), ...body }
}

const maxParts = 10_000

type Count = { parts: number }

/**
 * Rejects a body with more than 10,000 components, entries of dynamic zones and rich text nodes. Checking so many takes
 * half a second, and a body of one megabyte could contain 300,000.
 * @throws 400 that names the limit and the attribute that exceeded it
 */
export function checkSize(body: Body, type: Structure, registry: Registry): void {
  countMembers(body, type, registry, { parts: 0 })
}

function countMembers(body: Body, structure: Structure, registry: Registry, count: Count): void {
  for (const [name, value] of Object.entries(body)) {
    const attribute = structure.attributes.get(name)
    if (attribute?.type === 'blocks') countNodes(value, name, count)
    if (attribute?.type === 'component' || attribute?.type === 'dynamiczone')
      for (const item of Array.isArray(value) ? value : [value]) {
        countPart(name, count)
        const component = isObject(item) ? claimedComponent(item, attribute, registry) : undefined
        if (component !== undefined) countMembers(item as Body, component, registry, count)
      }
  }
}

function countNodes(value: unknown, name: string, count: Count): void {
  if (!Array.isArray(value)) return
  for (const node of value as readonly unknown[]) {
    countPart(name, count)
    if (isObject(node)) countNodes(node['children'], name, count)
  }
}

function countPart(name: string, count: Count): void {
  count.parts += 1
  if (count.parts <= maxParts) return
  const message = `The body holds more than ${maxParts} components and rich text nodes, at ${name}`
  throw fail('validation', message)
}

/**
 * Replaces every `NumberText`: by its text for `decimal` and `biginteger`, otherwise by a JavaScript number.
 * @throws 400 for a number in a JSON attribute that is too large for a JavaScript number
 */
export function placeNumbers(body: Body, structure: Structure, registry: Registry): Body {
  return mapMembers(body, (value, name) =>
    placeValue(value, structure.attributes.get(name), registry),
  )
}

/** Does for one value what `placeNumbers` does for a body. */
export function placeValue(
  value: unknown,
  attribute: Attribute | undefined,
  registry: Registry,
): unknown {
  if (value instanceof NumberText) return numberFor(value, attribute)
  if (Array.isArray(value)) {
    const items = value.map((item) => placeValue(item, attribute, registry))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (!isObject(value)) return value
  const component = attribute && claimedComponent(value, attribute, registry)
  if (component !== undefined) return placeNumbers(value, component, registry)
  const within = attribute !== undefined && isScalar(attribute) ? attribute : undefined
  return mapMembers(value, (inner) => placeValue(inner, within, registry))
}

function numberFor({ text }: NumberText, attribute: Attribute | undefined): number | string {
  if (attribute?.type === 'decimal' || attribute?.type === 'biginteger') return text
  const number = Number(text)
  // The rules of numeric attributes reject too large numbers themselves.
  if (attribute !== undefined && jsonTypes.has(attribute.type)) checkNumber(number, attribute.name)
  return number
}

/** Returns the object itself if nothing changes, which is usual. */
function mapMembers(body: Body, map: (value: unknown, name: string) => unknown): Body {
  const members = Object.entries(body).map(([name, value]) => [name, map(value, name)] as const)
  return members.some(([name, value]) => value !== body[name]) ? Object.fromEntries(members) : body
}
