import type { Attribute } from '../../engine/schema/attribute.js'
import { structuresOf } from '../../engine/schema/attributes-in.js'
import type { Component, ContentType, Structure } from '../../engine/schema/content-type.js'
import { isReferring, targetOf } from '../../engine/schema/edge-attribute.js'
import { fileUsers } from '../../engine/schema/file-uses.js'
import { allows } from '../../engine/schema/grant.js'
import { morphTargets } from '../../engine/schema/morph-targets.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import type { JsonSchema } from '../http/documented.js'
import { list, members } from '../http/json-schemas.js'
import type { Config } from '../settings/config.js'
import type { Settings } from '../settings/settings.js'
import { schemaNames, type Part } from './schema-names.js'
import type { View } from './view.js'

type Named = readonly [name: string, schema: JsonSchema]

/** What a document is made of. */
export type Subject = Readonly<{
  registry: Registry
  settings: Settings
  view: View
  /** Whose API it is; absent: that of a Quire without a project. */
  project?: Config['package']
}>

/** A document under way: the schemas that something refers to are made, once each, and no others. */
export type Making = ReturnType<typeof beginMaking>

export function beginMaking(subject: Subject) {
  const names = schemaNames(subject.registry)
  const known = new Set<string>()
  // Not at once: types refer to each other without end.
  const waiting: (() => Named)[] = []
  /** A reference to the schema of this name, which `make` makes where nobody has asked for it yet. */
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
    /** A reference to a parameter, which is made once. */
    parameter: (name: string, make: () => JsonSchema): JsonSchema => {
      if (!parameters.has(name)) parameters.set(name, make())
      return { $ref: `#/components/parameters/${name}` }
    },
    /** All that were made. */
    parameters: () => Object.fromEntries(parameters),
    /** The same as `named` for what is made of a type or component. */
    part: (of: Structure, part: Part, make: () => JsonSchema) => named(nameOf(of) + part, make),
    /** All schemas that are referred to, with their names, each made when it is asked for; to be called last. */
    schemas: function* (): Generator<Named> {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next()
    },
  }
}

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** With `explain`, which full-access tokens may ask for, the plan stands in the place of the data. */
export const orExplained = ({ view }: Subject, schema: JsonSchema): JsonSchema =>
  view.fullAccess ? { anyOf: [schema, reference('Explained')] } : schema

/** `{ data: [item, …], meta: { pagination } }`. */
export const pageOf = (items: JsonSchema): JsonSchema =>
  members({ data: list(items), meta: members({ pagination: reference('Pagination') }) })

/** What an attribute leads to: components, or the types that the caller may see there. */
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

/** Returns the types that may refer to files and that the caller may read. */
export const typesWithFiles = (subject: Subject): readonly ContentType[] =>
  fileUsers(subject.registry).flatMap(({ type }) => (mayFind(subject, type) ? type : []))

/** Whether entries of a type may be seen through a relation; files always (docs/coming-from-strapi.md, "Populate"). */
const mayFind = ({ view: { grant } }: Subject, { uid }: ContentType): boolean =>
  uid === builtIn.file || allows(grant, uid, 'find')
