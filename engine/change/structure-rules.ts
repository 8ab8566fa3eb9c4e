import type { Schema } from 'yup'
import { array, lazy, mixed, object, string } from 'yup'
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
} from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { componentOf } from '../schema/registry.js'
import { isObject } from './read-body.js'
import type { RuleMode } from './rule-mode.js'
import { modeKey, notDefined, notNull } from './rule-mode.js'
import { scalarRule, withPresence } from './scalar-rules.js'

const compiled = new WeakMap<Structure, Map<string, Schema>>()

/**
 * The rule for a body of a type, or for a component in one. Compiled once per structure and mode: a
 * registry makes its structures anew, so what they refer to cannot change under them.
 */
export function structureRule(structure: Structure, mode: RuleMode, registry: Registry): Schema {
  const rules = compiled.get(structure) ?? new Map<string, Schema>()
  compiled.set(structure, rules)
  const known = rules.get(modeKey(mode))
  if (known !== undefined) return known
  const rule = object(
    Object.fromEntries(
      [...structure.attributes.values()].map((attribute) => [
        attribute.name,
        attributeRule(attribute, mode, registry),
      ]),
    ),
  )
    // Without a default of its own, an absent component would become an empty one.
    .default(undefined) as unknown as Schema
  rules.set(modeKey(mode), rule)
  return rule
}

function attributeRule(attribute: Attribute, mode: RuleMode, registry: Registry): Schema {
  switch (attribute.type) {
    case 'component':
      return attribute.repeatable
        ? listRule(array(componentRule(attribute, mode, registry)), attribute, mode)
        : componentRule(attribute, mode, registry)
    case 'dynamiczone':
      return listRule(
        array(lazy(zoneEntryRule(attribute, mode, registry)) as unknown as Schema),
        attribute,
        mode,
      )
    case 'media':
    case 'relation':
      return edgeRule(attribute, mode)
    default:
      return scalarRule(attribute, mode)
  }
}

/** A component that names its `id` is edited in place; one without is new. */
function componentRule(attribute: ComponentAttribute, mode: RuleMode, registry: Registry): Schema {
  const component = componentOf(registry, attribute.component)
  const isItem = attribute.repeatable
  return lazy((value: unknown) => {
    const inPlace = mode.absent === 'keep' && isObject(value) && value['id'] !== undefined
    const rule = structureRule(component, { ...mode, absent: inPlace ? 'keep' : 'new' }, registry)
    return isItem
      ? rule.nonNullable(notNull('object')).defined(notDefined)
      : withPresence(rule, attribute, mode)
  }) as unknown as Schema
}

function zoneEntryRule(attribute: DynamicZoneAttribute, mode: RuleMode, registry: Registry) {
  const name = string().required().oneOf(attribute.components)
  const unknown = object({ __component: name })
    .default(undefined)
    .nonNullable(notNull('object'))
    .defined(notDefined) as unknown as Schema
  const rules = new Map<string, Schema>()
  return (value: unknown): Schema => {
    const uid = isObject(value) ? value['__component'] : undefined
    if (typeof uid !== 'string' || !attribute.components.includes(uid)) return unknown
    const known = rules.get(uid)
    if (known !== undefined) return known
    const rule = structureRule(componentOf(registry, uid), { ...mode, absent: 'new' }, registry)
      .nonNullable(notNull('object'))
      .defined(notDefined)
    rules.set(uid, rule)
    return rule
  }
}

/** Null is no list, whatever the rules: `[]` empties it. */
function listRule(
  list: Schema,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  { rules, absent }: RuleMode,
): Schema {
  const { min, max, required } = attribute
  let rule: Schema = list.nonNullable(notNull('array'))
  if (rules === 'draft') return rule
  if (required && absent === 'new') rule = rule.defined(notDefined)
  if (min !== undefined)
    rule = rule.test({
      name: 'min',
      message: `\${path} field must have at least ${min} items`,
      skipAbsent: true,
      // An optional list may be empty, whatever it holds at least otherwise.
      test: (value) =>
        !Array.isArray(value) || value.length >= min || (!required && value.length === 0),
    })
  if (max !== undefined)
    rule = rule.test({
      name: 'max',
      message: `\${path} field must have less than or equal to ${max} items`,
      skipAbsent: true,
      test: (value) => !Array.isArray(value) || value.length <= max,
    })
  return rule
}

/** What relations and media refer to is checked elsewhere; here only that a required one is not empty. */
function edgeRule(attribute: RelationAttribute | MediaAttribute, mode: RuleMode): Schema {
  const rule = withPresence(mixed(), attribute, mode)
  const inverse = attribute.type === 'relation' && !attribute.owner
  if (mode.rules === 'draft' || !attribute.required || inverse) return mixed().nullable()
  return rule.test({
    name: 'empty',
    message: notDefined,
    skipAbsent: true,
    test: (value) => !Array.isArray(value) || value.length > 0,
  })
}
