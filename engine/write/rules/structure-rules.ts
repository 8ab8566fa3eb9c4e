import { array, lazy, mixed, object, string, ValidationError } from 'yup'
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from '../../schema/attribute.js'
import { isMet } from '../../schema/condition.js'
import type { Structure } from '../../schema/content-type.js'
import type { ReferringAttribute } from '../../schema/edge-attribute.js'
import { type Registry, componentOf } from '../../schema/registry.js'
import { isObject } from '../../values/is-object.js'
import { readRelation } from '../body/relation-payload.js'
import {
  type Rule,
  type RuleMode,
  mayEdit,
  modeKey,
  notDefined,
  present,
  withPresence,
  notNull,
} from './required.js'
import { scalarRule } from './scalar-rules.js'

const compiled = new WeakMap<Structure, Map<string, Rule>>()

/**
 * Returns the rule for a body or component. Compiles it once for each mode of a structure. No two registries share
 * structures.
 */
export function structureRule(structure: Structure, mode: RuleMode, registry: Registry): Rule {
  const rules = compiled.get(structure) ?? new Map<string, Rule>()
  compiled.set(structure, rules)
  return remember(rules, modeKey(mode), () => {
    const members = [...structure.attributes.values()].map(
      (attribute) => [attribute.name, visibleRule(attribute, mode, registry)] as const,
    )
    // Otherwise yup would turn an absent component into an empty one.
    return object(Object.fromEntries(members)).default(undefined) as unknown as Rule
  })
}

/** An attribute is not required if its `visibleIf` condition is false. */
function visibleRule(attribute: Attribute, mode: RuleMode, registry: Registry): Rule {
  const rule = attributeRule(attribute, mode, registry)
  const { visibleIf, required } = attribute
  if (visibleIf === undefined || !required || mode.rules === 'draft') return rule
  const hidden = attributeRule({ ...attribute, required: false }, mode, registry)
  return lazy((_value: unknown, { parent }: Readonly<{ parent?: unknown }>) =>
    isMet(visibleIf, parent) ? rule : hidden,
  ) as unknown as Rule
}

function attributeRule(attribute: Attribute, mode: RuleMode, registry: Registry): Rule {
  switch (attribute.type) {
    case 'component':
      return attribute.repeatable
        ? listRule(array(componentRule(attribute, mode, registry)), attribute, mode)
        : componentRule(attribute, mode, registry)
    case 'dynamiczone':
      return listRule(array(zoneEntryRule(attribute, mode, registry)), attribute, mode)
    case 'media':
    case 'relation':
    case 'morph':
      return edgeRule(attribute, mode)
    default:
      return scalarRule(attribute, mode)
  }
}

/** With an `id`, a component edits a stored one, so absent attributes keep their values. Without an `id`, it is new. */
function componentRule(attribute: ComponentAttribute, mode: RuleMode, registry: Registry): Rule {
  const component = componentOf(registry, attribute.component)
  const rules = new Map<RuleMode['absent'], Rule>()
  const ruleFor = (absent: RuleMode['absent']): Rule => {
    const rule = structureRule(component, { ...mode, absent }, registry)
    return attribute.repeatable ? present(rule) : withPresence(rule, attribute, mode)
  }
  return lazy((value: unknown) => {
    const inPlace = mayEdit(attribute, mode) && isObject(value) && value['id'] !== undefined
    return remember(rules, inPlace ? 'keep' : 'new', ruleFor)
  }) as unknown as Rule
}

function zoneEntryRule(attribute: DynamicZoneAttribute, mode: RuleMode, registry: Registry): Rule {
  const name = string().required().oneOf(attribute.components)
  const unknown = present(object({ __component: name }).default(undefined) as unknown as Rule)
  const rules = new Map<string, Rule>()
  return lazy((value: unknown) => {
    const entry = isObject(value) ? value : {}
    const uid = entry['__component']
    if (typeof uid !== 'string' || !attribute.components.includes(uid)) return unknown
    const absent = mayEdit(attribute, mode) && entry['id'] !== undefined ? 'keep' : 'new'
    return remember(rules, `${uid} ${absent}`, () =>
      present(structureRule(componentOf(registry, uid), { ...mode, absent }, registry)),
    )
  }) as unknown as Rule
}

/** Rejects a required relation or media field without targets. `checkTargets` checks the targets. */
function edgeRule(attribute: ReferringAttribute, mode: RuleMode): Rule {
  const isInverse = attribute.type === 'relation' && !attribute.owner
  const isRequired = attribute.required && mode.requiredRelations !== false
  if (mode.rules === 'draft' || !isRequired || isInverse) return mixed().nullable()
  return referring(mode).test({
    name: 'empty',
    message: notDefined,
    skipAbsent: true,
    test: (value) => mayRefer(value, mode),
  })
}

/** The message is the same for null and for an absent value. */
function referring({ absent }: RuleMode): Rule {
  const rule = mixed().nonNullable(notDefined)
  return (absent === 'keep' ? rule : rule.defined(notDefined)) as Rule
}

/** Whether the relation may have a target after the payload is applied. Payloads that disconnect are checked later. */
export function mayRefer(value: unknown, { absent }: RuleMode): boolean {
  const payload = readRelation(value)
  if (payload.kind === 'set') return payload.items.length > 0
  return payload.kind === 'invalid' || absent === 'keep' || payload.connect.length > 0
}

function remember<K, V>(known: Map<K, V>, key: K, make: (key: K) => V): V {
  const value = known.get(key) ?? make(key)
  known.set(key, value)
  return value
}

/** Returns the rule for a list of components. `[]` empties the list; null is never valid. */
function listRule(list: Rule, attribute: List, mode: RuleMode): Rule {
  const { rules, absent } = mode
  const { min, max, required } = attribute
  // A component with an `id` edits a stored one, so ids must be distinct. If all components are new, ids are ignored.
  const isEdited = attribute.type === 'component' && mayEdit(attribute, mode)
  const rule = isEdited ? withDistinctIds(notNull(list)) : notNull(list)
  if (rules === 'draft') return rule
  const there = required && absent !== 'keep' ? (rule.defined(notDefined) as Rule) : rule
  const atLeast = withLength(
    there,
    'min',
    `\${path} field must have at least ${min} items`,
    (length) => isLongEnough(attribute, length),
  )
  return withLength(
    atLeast,
    'max',
    `\${path} field must have less than or equal to ${max} items`,
    (length) => isShortEnough(attribute, length),
  )
}

type List = ComponentAttribute | DynamicZoneAttribute

/** Whether the number of items is allowed. */
export const isFitting = (list: List, length: number): boolean =>
  isLongEnough(list, length) && isShortEnough(list, length)

/** A list that is not required may be empty despite a minimum. */
const isLongEnough = ({ min, required }: List, length: number): boolean =>
  min === undefined || length >= min || (!required && length === 0)

const isShortEnough = ({ max }: List, length: number): boolean => max === undefined || length <= max

function withDistinctIds(rule: Rule): Rule {
  return rule.test({
    name: 'ids',
    skipAbsent: true,
    test: (value, { path }) => {
      if (!Array.isArray(value)) return true
      const ids = value.map((item: unknown) => (isObject(item) ? item['id'] : undefined))
      const seen = new Set<number>()
      for (const [at, id] of ids.entries()) {
        if (id === undefined) continue
        const place = `${path}[${at}].id`
        if (seen.has(Number(id)))
          return new ValidationError(`${place} names a component that is there already`, id, place)
        seen.add(Number(id))
      }
      return true
    },
  })
}

function withLength(
  rule: Rule,
  name: string,
  message: string,
  fits: (length: number) => boolean,
): Rule {
  return rule.test({
    name,
    message,
    skipAbsent: true,
    test: (value) => !Array.isArray(value) || fits(value.length),
  })
}
