import { apiNameOf, type Component, type ContentType } from './content-type.js'
import { isReservedApiName } from './names.js'
import type { WholeTypes } from './stored-places.js'

/**
 * All types of the service at one moment. Immutable: a change builds a new one and swaps it, and
 * requests in flight keep theirs.
 */
export type Registry = Readonly<{
  /** Of `_schemas`; rises with every change. */
  version: number
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
  /** `articles` or `homepage` to the type whose endpoints it names; built-in types are not routed by it. */
  byApiName: ReadonlyMap<string, ContentType>
  /** Names of attributes that hold a colon: a query must not take its end for a direction or a unit. */
  colonNames: ReadonlySet<string>
  /** What entries may hold beside that; absent = nothing. */
  whole?: WholeTypes
  /** uids of types whose entries are being converted: writes to them are refused; absent = none. */
  locked?: ReadonlySet<string> | undefined
}>

/** uids of the types every registry holds (docs/storage.md, "Collections"). */
export const builtIn = {
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  file: 'plugin::upload.file',
  locale: 'plugin::i18n.locale',
  adminUser: 'admin::user',
} as const

/** Makes a snapshot of types that have been checked against each other. */
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

/** Of two types with one name the first has the endpoint, and the service's own endpoints come before both. */
function routed(types: readonly ContentType[]): ReadonlyMap<string, ContentType> {
  const byApiName = new Map<string, ContentType>()
  for (const type of types) {
    const name = apiNameOf(type).toLowerCase()
    if (type.origin === 'api' && !isReservedApiName(name) && !byApiName.has(name))
      byApiName.set(name, type)
  }
  return byApiName
}

/** The types that definitions make, without those that every registry holds. */
export function definedTypes({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ origin }) => origin !== 'built-in')
}

/** The type of a uid that the registry itself vouches for: an attribute's target, a built-in type. */
export function typeOf(registry: Registry, uid: string): ContentType {
  const type = registry.contentTypes.get(uid)
  if (type === undefined) throw new Error(`The registry has no content-type ${uid}`)
  return type
}

/** The component of a uid that an attribute names. */
export function componentOf(registry: Registry, uid: string): Component {
  const component = registry.components.get(uid)
  if (component === undefined) throw new Error(`The registry has no component ${uid}`)
  return component
}
