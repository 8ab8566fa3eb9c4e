import { array, lazy, mixed, object, string } from 'yup'
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from '../../schema/attribute.js'
import { holds } from '../../schema/condition.js'
import type { Structure } from '../../schema/content-type.js'
import type { ReferringAttribute } from '../../schema/edge-attribute.js'
import type { Registry } from '../../schema/registry.js'
import { componentOf } from '../../schema/registry.js'
import { listRule } from './list-rules.js'
import { isObject } from '../../values/is-object.js'
import { readRelation } from '../body/relation-payload.js'
import type { Rule, RuleMode } from './required.js'
import { mayEdit, modeKey, notDefined, present, withPresence } from './required.js'
import { scalarRule } from './scalar-rules.js'

const compiled = new WeakMap<Structure, Map<string, Rule>>()

/**
 * Returns the rule for a body of a type, or for a component in one. It is compiled once per structure and mode, which
 * is safe because each registry creates new structures.
 */
export function structureRule(structure: Structure, mode: RuleMode, registry: Registry): Rule {
  const rules = compiled.get(structure) ?? new Map<string, Rule>()
  compiled.set(structure, rules)
  return remember(rules, modeKey(mode), () => {
    const members = [...structure.attributes.values()].map(
      (attribute) => [attribute.name, visibleRule(attribute, mode, registry)] as const,
    )
    // Without an explicit default, an absent component would become an empty one.
    return object(Object.fromEntries(members)).default(undefined) as unknown as Rule
  })
}

/** Returns the rule of an attribute. If its `visibleIf` condition does not hold, the attribute is not required. */
function visibleRule(attribute: Attribute, mode: RuleMode, registry: Registry): Rule {
  const rule = attributeRule(attribute, mode, registry)
  const { visibleIf, required } = attribute
  if (visibleIf === undefined || !required || mode.rules === 'draft') return rule
  const hidden = attributeRule({ ...attribute, required: false }, mode, registry)
  return lazy((_value: unknown, { parent }: Readonly<{ parent?: unknown }>) =>
    holds(visibleIf, parent) ? rule : hidden,
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

/** Returns the rule of a component. A component with an `id` is edited in place; one without an `id` is new. */
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

/**
 * Returns the rule of a relation or media field. It only checks that a required field is not empty. `checkTargets`
 * checks the targets.
 */
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

/** Refuses null and absence with the same message. */
function referring({ absent }: RuleMode): Rule {
  const rule = mixed().nonNullable(notDefined)
  return (absent === 'keep' ? rule : rule.defined(notDefined)) as Rule
}

/** Returns false if a payload certainly leaves the relation empty. The result of a disconnect is checked later. */
export function mayRefer(value: unknown, { absent }: RuleMode): boolean {
  const payload = readRelation(value)
  if (payload.kind === 'set') return payload.items.length > 0
  return payload.kind === 'invalid' || absent === 'keep' || payload.connect.length > 0
}

/** Returns the value of a key, which is created on first use. */
function remember<K, V>(known: Map<K, V>, key: K, make: (key: K) => V): V {
  const value = known.get(key) ?? make(key)
  known.set(key, value)
  return value
}
