import { allows } from '../../engine/schema/grant.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import type { JsonSchema } from '../http/documented.js'
import type { Settings } from '../settings/settings.js'
import { schemaNames, type Part, type SchemaNames } from './schema-names.js'
import type { View } from './view.js'

type Named = readonly [name: string, schema: JsonSchema]

/** What a document is made of. */
export type Subject = Readonly<{ registry: Registry; settings: Settings; view: View }>

/** A document under way: the schemas that something refers to are made, once each, and no others. */
export type Making = Subject &
  Readonly<{
    /** A reference to the schema of this name, which `make` makes where nobody has asked for it yet. */
    named: (name: string, make: () => JsonSchema) => JsonSchema
    /** The same for what is made of a type or component. */
    part: (of: Structure, part: Part, make: () => JsonSchema) => JsonSchema
    nameOf: (of: Structure) => string
    /** A reference to a parameter, which is made once. */
    parameter: (name: string, make: () => JsonSchema) => JsonSchema
    /** All that were made. */
    parameters: () => Readonly<Record<string, JsonSchema>>
    /** All schemas that are referred to, with their names, each made when it is asked for; to be called last. */
    schemas: () => Generator<Named>
  }>

/** `taken`: names of schemas that are of no type. */
export function beginMaking(subject: Subject, taken: ReadonlySet<string>): Making {
  const names: SchemaNames = schemaNames(subject.registry, taken)
  const known = new Set<string>()
  // Not at once: types refer to each other without end.
  const waiting: (() => Named)[] = []
  const named: Making['named'] = (name, make) => {
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
    parameter: (name, make) => {
      if (!parameters.has(name)) parameters.set(name, make())
      return { $ref: `#/components/parameters/${name}` }
    },
    parameters: () => Object.fromEntries(parameters),
    part: (of, part, make) => named(nameOf(of) + part, make),
    schemas: function* () {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next()
    },
  }
}

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Whether entries of a type may be seen through a relation; files always (docs/coming-from-strapi.md, "Populate"). */
export const mayFind = ({ view: { grant } }: Subject, { uid }: ContentType): boolean =>
  uid === builtIn.file || allows(grant, uid, 'find')
