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

/** The inputs that an OpenAPI document is created from. */
export type Subject = Readonly<{
  registry: Registry
  settings: Settings
  view: View
  /** Name and version of the project; absent if there is no project. */
  project?: Config['package']
}>

/** An OpenAPI document under construction. Each schema is created once, and only if something refers to it. */
export type DocumentBuilder = ReturnType<typeof createDocumentBuilder>

export function createDocumentBuilder(subject: Subject) {
  const names = schemaNames(subject.registry)
  const known = new Set<string>()
  // Schemas to create later. They cannot be created immediately, because types refer to each other in cycles.
  const waiting: (() => Named)[] = []
  /**
   * Returns a reference to the schema `name`. On the first call with a name, queues `make`, which creates the schema
   * later.
   */
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
    /** Returns a reference to the parameter `name`, which `make` creates on the first call with that name. */
    parameter: (name: string, make: () => JsonSchema): JsonSchema => {
      if (!parameters.has(name)) parameters.set(name, make())
      return { $ref: `#/components/parameters/${name}` }
    },
    /** Returns all parameters created so far. */
    parameters: () => Object.fromEntries(parameters),
    /**
     * Returns a reference to a schema, like `named`. The name consists of the name of a type or component and the
     * suffix `part`.
     */
    part: (of: Structure, part: Part, make: () => JsonSchema) => named(nameOf(of) + part, make),
    /**
     * Creates and yields all referenced schemas with their names, one at a time. Call this after all operations have
     * been described.
     */
    schemas: function* (): Generator<Named> {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next()
    },
  }
}

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/**
 * Adds the query plan as an alternative to the schema of a response. With `explain`, full-access tokens receive the
 * plan instead of the data.
 */
export const orExplained = ({ view }: Subject, schema: JsonSchema): JsonSchema =>
  view.fullAccess ? { anyOf: [schema, reference('Explained')] } : schema

/** Returns the schema of a page of items, `{ data: [item, …], meta: { pagination } }`. */
export const pageOf = (items: JsonSchema): JsonSchema =>
  members({ data: list(items), meta: members({ pagination: reference('Pagination') }) })

/**
 * Returns the components that an attribute can contain. For a relation, returns the target types that the caller may
 * read.
 */
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

/**
 * Whether the caller may see entries of a type through a relation. Files are always visible
 * (docs/internals/strapi-behaviour.md, "Populate").
 */
const mayFind = ({ view: { grant } }: Subject, { uid }: ContentType): boolean =>
  uid === builtIn.file || allows(grant, uid, 'find')
