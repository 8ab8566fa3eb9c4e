import type { Attribute } from '../../../engine/schema/attribute.js'
import type { Component, ContentType, Definition } from '../../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import type { Registry } from '../../../engine/schema/registry.js'
import type { SchemaProblem } from '../../../engine/schema/schema-error.js'
import { lineOf, SchemaError } from '../../../engine/schema/schema-error.js'

type Given = Readonly<Record<string, unknown>>

/** A content-type with these attributes: `thing`, in `thing.json`, unless `more` says otherwise. */
export function contentType(attributes: Given, more: Definition = {}, name = 'thing') {
  const info = { singularName: name, pluralName: `${name}s`, displayName: name }
  return {
    kind: 'content-type',
    uid: `api::${name}.${name}`,
    source: `${name}.json`,
    definition: { kind: 'collectionType', info, attributes, ...more },
  } satisfies SourcedDefinition
}

/** A component with these attributes, in `<uid>.json`. */
export function component(uid: string, attributes: Given): SourcedDefinition {
  return { kind: 'component', uid, source: `${uid}.json`, definition: { attributes } }
}

export function define(...definitions: readonly SourcedDefinition[]): Registry {
  return createRegistryFrom(definitions, 1)
}

/** An attribute of the only content-type of the definitions that is named `thing`. */
export function attributeOf(registry: Registry, name: string, uid = 'api::thing.thing'): Attribute {
  const structure: ContentType | Component | undefined =
    registry.contentTypes.get(uid) ?? registry.components.get(uid)
  const attribute = structure?.attributes.get(name)
  if (attribute === undefined) throw new Error(`${uid} has no attribute ${name}`)
  return attribute
}

/**
 * The problems of definitions that are wrong, each as one line, `thing.json: attributes.a.type: …`, and what is told of
 * what is tolerated, which begins with `warned `.
 */
export function toldOf(...definitions: readonly SourcedDefinition[]): readonly string[] {
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
