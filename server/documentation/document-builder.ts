import type { Attribute } from '../../engine/schema/attribute.js'
import { structuresOf } from '../../engine/schema/attributes-in.js'
import type { Component, ContentType, Structure } from '../../engine/schema/content-type.js'
import { isReferring, targetOf } from '../../engine/schema/edge-attribute.js'
import { fileUsers } from '../../engine/schema/file-uses.js'
import { allows } from '../../engine/schema/grant.js'
import { morphTargets } from '../../engine/schema/morph-targets.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import type { JsonSchema } from '../http/documented.js'
import { list, members } from '../http/routes/json-schemas.js'
import type { Config } from '../settings/config.js'
import type { Settings } from '../settings/settings.js'
import { schemaNames, type Part } from './schema-names.js'
import type { View } from './view.js'

type Named = readonly [name: string, schema: JsonSchema]

/** What an OpenAPI document is created from. */
export type Subject = Readonly<{
  registry: Registry
  settings: Settings
  view: View
  /** Name and version of the user's project; absent if there is none. */
  project?: Config['package']
}>

/** An OpenAPI document under construction. A schema is created only if something refers to it, and only once. */
export type DocumentBuilder = ReturnType<typeof createDocumentBuilder>

export function createDocumentBuilder(subject: Subject) {
  const names = schemaNames(subject.registry)
  const known = new Set<string>()
  // Schemas to create later, because types refer to each other in cycles.
  const waiting: (() => Named)[] = []
  /** Returns a reference to a schema. `make` creates the schema later, only once per name. */
  const named = (name: string, make: () => JsonSchema): JsonSchema => {
    if (!known.has(name)) {
      known.add(name)
      waiting.push(() => [name, make()])
    }
    return reference(name)
  }
  const parameters = new Map<string, JsonSchema>()
  const nameOf = ({ uid }: Structure): string => {
    const name = names.get(uid)
    if (name === undefined) throw new Error(`There is no schema of ${uid}`)
    return name
  }
  return {
    ...subject,
    named,
    nameOf,
    /** Returns a reference to a parameter. `make` creates the parameter, only once per name. */
    parameter: (name: string, make: () => JsonSchema): JsonSchema => {
      if (!parameters.has(name)) parameters.set(name, make())
      return { $ref: `#/components/parameters/${name}` }
    },
    parameters: () => Object.fromEntries(parameters),
    /** Like `named`. The name is that of a type or component, followed by the suffix `part`. */
    part: (of: Structure, part: Part, make: () => JsonSchema) => named(nameOf(of) + part, make),
    /** Creates and yields all referenced schemas. Call this after all operations have been described. */
    schemas: function* (): Generator<Named> {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next()
    },
  }
}

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Adds the query plan that full-access tokens receive instead of the data if they send `explain`. */
export const orExplained = ({ view }: Subject, schema: JsonSchema): JsonSchema =>
  view.fullAccess ? { anyOf: [schema, reference('Explained')] } : schema

/** Schema of `{ data: [item, …], meta: { pagination } }`. */
export const pageOf = (items: JsonSchema): JsonSchema =>
  members({ data: list(items), meta: members({ pagination: reference('Pagination') }) })

/** Returns the components that an attribute can contain, or a relation's target types that the caller may read. */
export function partsOf(
  subject: Subject,
  attribute: Attribute,
): readonly (ContentType | Component)[] {
  const { registry } = subject
  if (!isReferring(attribute)) return structuresOf(attribute, registry)
  const targets =
    attribute.type === 'morph' ? morphTargets(registry) : [typeOf(registry, targetOf(attribute))]
  return targets.filter((type) => mayFind(subject, type))
}

/** Returns the types that can refer to files and that the caller may read. */
export const typesWithFiles = (subject: Subject): readonly ContentType[] =>
  fileUsers(subject.registry).flatMap(({ type }) => (mayFind(subject, type) ? type : []))

/** Files are always visible (docs/internals/strapi-behaviour.md, "Populate"). */
const mayFind = ({ view: { grant } }: Subject, { uid }: ContentType): boolean =>
  uid === builtIn.file || allows(grant, uid, 'find')
