import { fail } from '../../errors.js'
import { nearestName } from '../../errors/nearest-name.js'
import type { RawPopulateOptions } from '../parse/raw-query.js'
import type { Attribute, DynamicZoneAttribute, MorphAttribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import { isFile, related } from '../../schema/file-uses.js'
import type { Registry } from '../../schema/registry.js'
import { componentOf, typeOf } from '../../schema/registry.js'
import type { Model } from './resolve-attributes.js'
import { refusedName, structureOf, unknownName } from './resolve-attributes.js'

export const param = 'populate'

type Path = readonly string[]

/** Returns the names that can be populated, for suggestions. */
export function populatable(model: Model): string[] {
  const names = [...structureOf(model).attributes.values()]
    .filter((attribute) => !isScalar(attribute) && isReadable(attribute))
    .map(({ name }) => name)
  return model.kind === 'type' && isFile(model.type) ? [...names, related.name] : names
}

/** Returns the 400 for an unknown name in a string (`author.avatar`), with its path. */
export const unknownInPath = (name: string, parent: Path, model: Model): Error =>
  refusedName(name, parent, param, nearestName(name, populatable(model)))

/** Returns the 400 for `populate[author]=*`. As in Strapi, it names the first attribute below `author`. */
export function starOption(registry: Registry, parent: Path, attribute: Attribute): Error {
  const path = [...parent, attribute.name]
  if (attribute.type === 'component') {
    return firstPopulatable(path, componentOf(registry, attribute.component).attributes.values())
  }
  if (attribute.type === 'relation') {
    return firstPopulatable(path, typeOf(registry, attribute.target).attributes.values())
  }
  return unknownName('*', path, param)
}

/** Returns the 400 for a `*` that was sent instead of options. It names the first attribute that `*` would populate. */
export function firstPopulatable(parent: Path, attributes: Iterable<Attribute>): Error {
  const first = [...attributes].find((attribute) => !isScalar(attribute) && isReadable(attribute))
  if (first === undefined) return unknownName('*', parent, param)
  const path = [...parent, first.name].join('.')
  return fail('invalid-key', { key: first.name, path }, { key: first.name, path })
}

/** Throws a 400 if one of the unsupported options `keys` was sent. */
export function refuseOptions(
  path: Path,
  options: RawPopulateOptions,
  keys: readonly (keyof RawPopulateOptions)[],
): void {
  for (const key of keys) {
    if (options[key] === undefined) continue
    throw unknownName(key, path, param)
  }
}

/**
 * Throws Strapi's 400 for an unsupported option of a dynamic zone or polymorphic relation. Supported are `on`, `count`,
 * and names to populate in all of its components or types.
 */
export function refuseUnfragmented(
  model: Model,
  attribute: DynamicZoneAttribute | MorphAttribute,
  options: RawPopulateOptions,
): void {
  const { fields, sort, filters, populate } = options
  const misplaced = { fields, sort, filters }
  if (Object.values(misplaced).some((option) => option !== undefined)) {
    const type = structureOf(model)
    const found = JSON.stringify({
      fields: fields === '*' ? '*' : fields?.join(','),
      sort,
      filters: filters && {},
    })
    const name = type.uid.split('.').at(-1) ?? type.uid
    throw fail('validation', {
      message: `Invalid nested populate for ${name}.${attribute.name} (${type.uid}). Expected a fragment ("on") or "count" but found ${found}`,
    })
  }
  const named =
    populate !== undefined && populate !== '*' && populate.some(({ form }) => form === 'key')
  if (named) throw unknownName('populate', [attribute.name], param)
}
