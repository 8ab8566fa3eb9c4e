import type { Attribute } from '../../../engine/schema/attribute.js'
import type { Component, ContentType, Definition } from '../../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import type { Registry } from '../../../engine/schema/registry.js'
import type { SchemaProblem } from '../../../engine/schema/schema-error.js'
import { lineOf, SchemaError } from '../../../engine/schema/schema-error.js'

type Given = Readonly<Record<string, unknown>>

/** Returns a content-type with these attributes. By default, it is `thing` in `thing.json`. */
export function contentType(attributes: Given, more: Definition = {}, name = 'thing') {
  const info = { singularName: name, pluralName: `${name}s`, displayName: name }
  return {
    kind: 'content-type',
    uid: `api::${name}.${name}`,
    source: `${name}.json`,
    definition: { kind: 'collectionType', info, attributes, ...more },
  } satisfies SourcedDefinition
}

/** Returns a component with these attributes, as if it was read from `<uid>.json`. */
export function component(uid: string, attributes: Given): SourcedDefinition {
  return { kind: 'component', uid, source: `${uid}.json`, definition: { attributes } }
}

export function define(...definitions: readonly SourcedDefinition[]): Registry {
  return createRegistryFrom(definitions, 1)
}

/** Returns an attribute of a type, by default of `api::thing.thing`. */
export function attributeOf(registry: Registry, name: string, uid = 'api::thing.thing'): Attribute {
  const structure: ContentType | Component | undefined =
    registry.contentTypes.get(uid) ?? registry.components.get(uid)
  const attribute = structure?.attributes.get(name)
  if (attribute === undefined) throw new Error(`${uid} has no attribute ${name}`)
  return attribute
}

/** Returns errors and warnings, each as one line: `thing.json: attributes.a.type: …`. Warnings begin with `warned `. */
export function problemsOf(...definitions: readonly SourcedDefinition[]): readonly string[] {
  const warnings: string[] = []
  const warn = (warning: SchemaProblem) => void warnings.push(`warned ${lineOf(warning)}`)
  try {
    createRegistryFrom(definitions, 1, warn)
    return warnings
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return [...error.problems.map(lineOf), ...warnings]
  }
}
