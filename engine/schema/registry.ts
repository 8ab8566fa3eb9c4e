import { apiNameOf, type Component, type ContentType } from './content-type.js'
import { isReservedApiName } from './names.js'
import type { WholeTypes } from './stored-places.js'

/**
 * An immutable snapshot of all types of the service. A change creates a new snapshot and replaces the current one.
 * In-flight requests keep their snapshot.
 */
export type Registry = Readonly<{
  /** Version of `_schemas`. Increases with every change. */
  version: number
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
  /** Maps `articles` or `homepage` to the type with these endpoints. Does not contain built-in types. */
  byApiName: ReadonlyMap<string, ContentType>
  /** Names of attributes that contain a colon. In a query, the part after it is not a sort direction or a unit. */
  colonNames: ReadonlySet<string>
  /** Other attributes that entries may contain. Absent: none. */
  whole?: WholeTypes
  /** uids of types whose entries are being converted. Writes to them are rejected. Absent: none. */
  locked?: ReadonlySet<string> | undefined
}>

/** uids of the types in every registry (docs/storage.md, "Collections"). */
export const builtIn = {
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  file: 'plugin::upload.file',
  locale: 'plugin::i18n.locale',
  adminUser: 'admin::user',
} as const

/** Creates a snapshot of types that have been checked against each other. */
export function createRegistry(
  contentTypes: Iterable<ContentType>,
  components: Iterable<Component>,
  version: number,
): Registry {
  const types = [...contentTypes]
  const parts = [...components]
  const names = [...types, ...parts].flatMap(({ attributes }) => [...attributes.keys()])
  return Object.freeze({
    version,
    contentTypes: new Map(types.map((type) => [type.uid, type])),
    components: new Map(parts.map((component) => [component.uid, component])),
    byApiName: routed(types),
    colonNames: new Set(names.filter((name) => name.includes(':'))),
  })
}

/**
 * Maps API names to types. If two types have the same name, the first one gets the endpoint. If the service itself has
 * an endpoint with this name, neither does.
 */
function routed(types: readonly ContentType[]): ReadonlyMap<string, ContentType> {
  const byApiName = new Map<string, ContentType>()
  for (const type of types) {
    const name = apiNameOf(type).toLowerCase()
    if (type.origin === 'api' && !isReservedApiName(name) && !byApiName.has(name))
      byApiName.set(name, type)
  }
  return byApiName
}

/** Returns the types from definitions, without the built-in ones. */
export function definedTypes({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ origin }) => origin !== 'built-in')
}

/** Returns the type of a uid that must be in the registry: an attribute's target, a built-in type. */
export function typeOf(registry: Registry, uid: string): ContentType {
  const type = registry.contentTypes.get(uid)
  if (type === undefined) throw new Error(`The registry has no content-type ${uid}`)
  return type
}

/** Returns the component of a uid from an attribute. */
export function componentOf(registry: Registry, uid: string): Component {
  const component = registry.components.get(uid)
  if (component === undefined) throw new Error(`The registry has no component ${uid}`)
  return component
}
