import { apiNameOf, type Component, type ContentType } from './content-type.js'
import { isReservedApiName } from './names.js'
import type { WholeTypes } from './stored-places.js'

/**
 * A snapshot of all content-types and components of the service. It is immutable. A change to the schema creates a new
 * snapshot for later requests, while requests in progress continue to use the old one.
 */
export type Registry = Readonly<{
  /** Version of the definitions in `_schemas`. It increases with every change to them. */
  version: number
  contentTypes: ReadonlyMap<string, ContentType>
  components: ReadonlyMap<string, Component>
  /** Content-types by the name in their endpoint, such as `articles` or `homepage`. Does not contain built-in types. */
  byApiName: ReadonlyMap<string, ContentType>
  /**
   * Attribute names that contain a colon. In a query, the colon in such a name does not introduce a sort direction or a
   * unit.
   */
  colonNames: ReadonlySet<string>
  /**
   * Additional attributes that entries may contain, because instances serve different definitions. Absent if there are
   * none.
   */
  whole?: WholeTypes
  /**
   * uids of content-types whose entries are being converted. Until this is done, writes to these entries are rejected.
   */
  locked?: ReadonlySet<string> | undefined
}>

/** uids of the types that every registry contains (docs/internals/storage.md, "Collections"). */
export const builtIn = {
  user: 'plugin::users-permissions.user',
  role: 'plugin::users-permissions.role',
  file: 'plugin::upload.file',
  locale: 'plugin::i18n.locale',
  adminUser: 'admin::user',
} as const

/** Creates a snapshot from content-types and components. They must have been checked already. */
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
 * Returns the content-types by the name in their endpoint. If two types have the same name, the first one gets the
 * endpoint. If the service itself uses the name, neither does.
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

/** Returns the content-types that a project or plugin defines, without the built-in ones. */
export function definedTypes({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ origin }) => origin !== 'built-in')
}

/**
 * Returns the content-type with this uid. Throws if it does not exist, so only call this for uids that must exist, such
 * as the target of an attribute.
 */
export function typeOf(registry: Registry, uid: string): ContentType {
  const type = registry.contentTypes.get(uid)
  if (type === undefined) throw new Error(`The registry has no content-type ${uid}`)
  return type
}

/**
 * Returns the component with this uid. Throws if it does not exist, so only call this for uids that must exist, such as
 * the component of an attribute.
 */
export function componentOf(registry: Registry, uid: string): Component {
  const component = registry.components.get(uid)
  if (component === undefined) throw new Error(`The registry has no component ${uid}`)
  return component
}
