import { apiNameOf, collectionsOf, type Component, type ContentType } from './content-type.js'
import { isReservedApiName } from './names.js'
import type { WholeTypes } from './stored-places.js'

/** An immutable snapshot of all content-types and components. A schema change creates a new one for later requests. */
export type Registry = Readonly<{
  /** Increases with every change to the definitions in `_schemas`. */
  version: number
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
  /** Content-types by the name in their endpoint, such as `articles` or `homepage`. */
  byApiName: ReadonlyMap<string, ContentType>
  /** Attribute names that contain a colon. In a query, this colon does not begin a sort direction or a unit. */
  colonNames: ReadonlySet<string>
  /** Attributes that entries may contain because other instances serve different definitions. */
  whole?: WholeTypes
  /** uids of content-types whose entries are being converted, so that writes to them are rejected. */
  locked?: ReadonlySet<string> | undefined
}>

/** uids of the types in every registry (docs/internals/storage.md, "Collections"). */
export const builtIn = {
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  file: 'plugin::upload.file',
  locale: 'plugin::i18n.locale',
  adminUser: 'admin::user',
} as const

/** Creates a snapshot of checked content-types and components. */
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

/** Maps endpoint names to content-types. The first type of a name gets the endpoint, unless the service uses it. */
function routed(types: readonly ContentType[]): ReadonlyMap<string, ContentType> {
  const byApiName = new Map<string, ContentType>()
  for (const type of types) {
    const name = apiNameOf(type).toLowerCase()
    if (type.origin === 'api' && !isReservedApiName(name) && !byApiName.has(name))
      byApiName.set(name, type)
  }
  return byApiName
}

/** Returns all content-types except the built-in ones. */
export function definedTypes({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ origin }) => origin !== 'built-in')
}

/** Throws if the content-type does not exist. Only for uids that must exist, such as an attribute's target. */
export function typeOf(registry: Registry, uid: string): ContentType {
  const type = registry.contentTypes.get(uid)
  if (type === undefined) throw new Error(`The registry has no content-type ${uid}`)
  return type
}

/** Returns the content-type whose entries a collection contains. */
export function typeOfCollection(
  { contentTypes }: Registry,
  collection: string,
): ContentType | undefined {
  return [...contentTypes.values()].find((type) => collectionsOf(type).includes(collection))
}

/** Throws if the component does not exist. Only for uids that must exist, such as an attribute's component. */
export function componentOf(registry: Registry, uid: string): Component {
  const component = registry.components.get(uid)
  if (component === undefined) throw new Error(`The registry has no component ${uid}`)
  return component
}
