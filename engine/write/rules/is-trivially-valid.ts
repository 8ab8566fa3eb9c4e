import {
  type Attribute,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  isScalar,
  maxLengthOf,
  type ScalarAttribute,
} from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import { type Registry, componentOf } from '../../schema/registry.js'
import { isObject } from '../../values/is-object.js'
import { isFitting, mayRefer } from './structure-rules.js'
import { type RuleMode, mayEdit, modeKey } from './required.js'
import { emailAddress } from '../../values/email-address.js'
import { valueForms } from '../../values/value-forms.js'
import { isPlainDecimal, isPlainLong, uidPattern } from './scalar-rules.js'
import { isLink, marks } from './block-rules.js'

/**
 * Whether a body is valid and validation would not change it, which is the usual case. This avoids the rules of yup
 * (`structureRule`), which took a third of the time that a write spends outside of the database.
 */
export function isTriviallyValid(
  structure: Structure,
  body: unknown,
  mode: RuleMode,
  registry: Registry,
): boolean {
  return structureCheck(structure, mode, registry)(body)
}

type Member = Readonly<{
  name: string
  /** Whether the member may be absent and has no default. */
  mayLack: boolean
  mayBeNull: boolean
  check: PlainCheck
}>

const compiled = new WeakMap<Structure, Map<string, PlainCheck>>()

/** Compiled once for each structure and mode, like the rules of yup. */
function structureCheck(structure: Structure, mode: RuleMode, registry: Registry): PlainCheck {
  const checks = compiled.get(structure) ?? new Map<string, PlainCheck>()
  compiled.set(structure, checks)
  const key = modeKey(mode)
  const known = checks.get(key)
  if (known !== undefined) return known
  const members = [...structure.attributes.values()].map((attribute) =>
    memberOf(attribute, mode, registry),
  )
  const check: PlainCheck = (value) => {
    if (!isObject(value)) return false
    for (const { name, mayLack, mayBeNull, check } of members) {
      const member = value[name]
      // yup would change the body, because it removes members that are undefined.
      if (member === undefined && (!mayLack || name in value)) return false
      if (member === null && !mayBeNull) return false
      if (member !== undefined && member !== null && !check(member)) return false
    }
    return true
  }
  checks.set(key, check)
  return check
}

function memberOf(attribute: Attribute, mode: RuleMode, registry: Registry): Member {
  const { name, required } = attribute
  const isNew = mode.absent !== 'keep'
  const isRequired = required && mode.rules === 'full'
  const place = { name, mayLack: !(isRequired && isNew), mayBeNull: !isRequired }
  switch (attribute.type) {
    case 'component': {
      const check = componentCheck(attribute, mode, registry)
      return attribute.repeatable
        ? { ...place, mayBeNull: false, check: listCheck(attribute, mode, check) }
        : { ...place, check }
    }
    case 'dynamiczone': {
      const check = listCheck(attribute, mode, entryCheck(attribute, mode, registry))
      return { ...place, mayBeNull: false, check }
    }
    case 'media':
    case 'relation':
    case 'morph': {
      const isInverse = attribute.type === 'relation' && !attribute.owner
      return isRequired && mode.requiredRelations !== false && !isInverse
        ? { ...place, check: (value) => mayRefer(value, mode) }
        : { name, mayLack: true, mayBeNull: true, check: () => true }
    }
    default: {
      const hasDefault = isScalar(attribute) && attribute.default !== undefined && isNew
      const check = scalarCheck(attribute, mode.rules === 'full')
      return { ...place, mayLack: place.mayLack && !hasDefault, check }
    }
  }
}

/** Corresponds to `componentRule`. A component with an `id` is edited in place, so its attributes may be absent. */
function componentCheck(
  attribute: ComponentAttribute,
  mode: RuleMode,
  registry: Registry,
): PlainCheck {
  const component = componentOf(registry, attribute.component)
  const fresh = structureCheck(component, { ...mode, absent: 'new' }, registry)
  if (!mayEdit(attribute, mode)) return fresh
  const edited = structureCheck(component, { ...mode, absent: 'keep' }, registry)
  return (value) => (isNamed(value) ? edited : fresh)(value)
}

/** Corresponds to `zoneEntryRule`. */
function entryCheck(
  attribute: DynamicZoneAttribute,
  mode: RuleMode,
  registry: Registry,
): PlainCheck {
  const checksOf = (absent: RuleMode['absent']): ReadonlyMap<unknown, PlainCheck> =>
    new Map(
      attribute.components.map((uid) => [
        uid,
        structureCheck(componentOf(registry, uid), { ...mode, absent }, registry),
      ]),
    )
  const fresh = checksOf('new')
  const edited = mayEdit(attribute, mode) ? checksOf('keep') : fresh
  return (value) => {
    if (!isObject(value)) return false
    const checks = isNamed(value) ? edited : fresh
    return checks.get(value['__component'])?.(value) ?? false
  }
}

/**
 * Corresponds to `listRule`, but leaves lists with an `id` to yup, because this check does not detect duplicate ids.
 */
function listCheck(
  attribute: ComponentAttribute | DynamicZoneAttribute,
  mode: RuleMode,
  check: PlainCheck,
): PlainCheck {
  const isEdited = attribute.type === 'component' && mayEdit(attribute, mode)
  const isFull = mode.rules === 'full'
  return (value) => {
    if (!Array.isArray(value) || (isFull && !isFitting(attribute, value.length))) return false
    for (const item of value as readonly unknown[])
      if (!check(item) || (isEdited && isNamed(item))) return false
    return true
  }
}

const isNamed = (value: unknown): boolean => isObject(value) && value['id'] !== undefined

type Node = Readonly<Record<string, unknown>>

/** Whether `blocksRule` would leave a value unchanged. */
const isPlainBlocks = (value: unknown): boolean => isListOf(value, isBlock)

const isListOf = (value: unknown, check: (node: Node) => boolean): boolean => {
  if (!Array.isArray(value)) return false
  for (const node of value as readonly unknown[]) if (!isObject(node) || !check(node)) return false
  return true
}

function isBlock(node: Node): boolean {
  switch (node['type']) {
    case 'paragraph':
    case 'quote':
    case 'code':
      return isListOf(node['children'], isInline)
    case 'heading':
      return levels.has(node['level']) && isListOf(node['children'], isInline)
    case 'list':
      return isList(node)
    case 'image':
      return isImage(node['image']) && isListOf(node['children'], isInline)
    default:
      return false
  }
}

const levels: ReadonlySet<unknown> = new Set([1, 2, 3, 4, 5, 6])

const isImage = (image: unknown): boolean =>
  isObject(image) && typeof image['url'] === 'string' && image['url'] !== ''

const isList = (node: Node): boolean =>
  (node['format'] === 'ordered' || node['format'] === 'unordered') &&
  isListOf(node['children'], isListChild)

const isListChild = (node: Node): boolean =>
  node['type'] === 'list'
    ? isList(node)
    : node['type'] === 'list-item' && isListOf(node['children'], isInline)

const isInline = (node: Node): boolean =>
  node['type'] === 'link' ? isLinkNode(node) : isText(node)

const isLinkNode = ({ url, children }: Node): boolean =>
  typeof url === 'string' && isLink(url) && isListOf(children, isText)

function isText(node: Node): boolean {
  if (node['type'] !== 'text' || typeof node['text'] !== 'string') return false
  for (const mark of marks) {
    const value = node[mark]
    if (typeof value !== 'boolean' && value !== null && mark in node) return false
  }
  return true
}

/** Whether the rules of yup would leave a value unchanged. If false, these rules decide. */
type PlainCheck = (value: unknown) => boolean

/** Corresponds to `scalarRule`, for values other than null and undefined. */
function scalarCheck(attribute: ScalarAttribute, full: boolean): PlainCheck {
  switch (attribute.type) {
    case 'integer':
      return rangeCheck(attribute, full, Number.isSafeInteger)
    case 'float':
      return rangeCheck(attribute, full, Number.isFinite)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'enumeration':
      return (value) => typeof value === 'string' && attribute.enum.includes(value)
    case 'email':
      return textCheck(attribute, full, emailAddress)
    case 'uid':
      return textCheck(attribute, full, uidPattern)
    case 'string':
    case 'text':
    case 'richtext':
      return textCheck(attribute, full)
    case 'array':
      return Array.isArray
    // JSON is checked when it is stored.
    case 'json':
      return () => true
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp': {
      const { parse } = valueForms[attribute.type]
      return (value) => parse?.(value).as !== 'nothing'
    }
    case 'decimal':
      return (value) => isPlainDecimal(value, attribute, full)
    case 'biginteger':
      return (value) => isPlainLong(value, attribute, full)
    case 'blocks':
      return isPlainBlocks
    // The value may be a `StoredSecret`, so `passwordRule` decides.
    case 'password':
      return () => false
  }
}

function rangeCheck(
  { min, max }: ScalarAttribute,
  full: boolean,
  isNumber: (value: unknown) => boolean,
): PlainCheck {
  if (!full) return isNumber
  const least = min === undefined ? -Infinity : Number(min)
  const greatest = max === undefined ? Infinity : Number(max)
  return (value) => isNumber(value) && Number(value) >= least && Number(value) <= greatest
}

/** @param form pattern that the string must also match if `full` is set */
function textCheck(attribute: ScalarAttribute, full: boolean, form?: RegExp): PlainCheck {
  const longest = maxLengthOf(attribute)
  if (!full) return (value) => typeof value === 'string' && value.length <= longest
  const { minLength = 0, pattern, type } = attribute
  // Patterns of the definition may be slow, so the rule decides (`patterns.ts`).
  if (pattern !== undefined) return () => false
  const shortest = Math.max(minLength, type === 'email' ? 1 : 0)
  return (value) =>
    typeof value === 'string' &&
    value.length >= shortest &&
    value.length <= longest &&
    (form === undefined || form.test(value))
}
