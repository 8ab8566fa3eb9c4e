import {
  apiNameOf,
  byUid,
  type Component,
  type ContentType,
} from '../../engine/schema/content-type.js'
import { morphTargets } from '../../engine/schema/morph-targets.js'
import { builtIn, definedTypes, typeOf, type Registry } from '../../engine/schema/registry.js'
import type { Settings } from '../settings/settings.js'
import { draftMembers, stricterMembers } from './input-types.js'
import { declareInterface, key, literal, literalType, type Member } from './source-text.js'
import {
  entryMembers,
  filterMembers,
  namedBy,
  nameOf,
  partMembers,
  unsortedNames,
  type TypeContext,
} from './structure-types.js'
import { isObject, objectOf, type PlainObject } from '../../engine/values/is-object.js'
import { FreeNames } from '../../engine/values/free-names.js'

/** Suffixes of the type names for each definition. */
const endings = ['', 'Type', 'Parts', 'Filters', 'Draft', 'Create', 'Update']

/** Names that every generated file uses. No definition gets one of them. */
const reserved = ['Quire', 'MorphTargets', 'Creator', 'CreatorType', 'CreatorFilters']
const imported = ['Filters', 'Inputs', 'Types', 'Values']

/** Names for types whose usual name would be vague, or hide a browser's type such as `File`. */
const own: Readonly<Record<string, string>> = {
  [builtIn.file]: 'UploadFile',
  [builtIn.adminUser]: 'AdminUser',
}

/**
 * Returns type names by uid: `Article` for `api::article.article`, `SharedSeo` for `shared.seo`. A colliding name gets
 * a number.
 */
function typeNames(
  types: readonly ContentType[],
  components: readonly Component[],
): ReadonlyMap<string, string> {
  const names = new FreeNames(endings, [...reserved, ...imported])
  for (const { uid, singularName } of types) names.give(uid, own[uid] ?? pascal(singularName))
  for (const { uid } of components) names.give(uid, pascal(uid))
  return names.given
}

/** Returns `SharedRichText` for `shared.rich-text`. */
function pascal(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
  return /^\p{ID_Start}/u.test(name) ? name : `Type${name}`
}

/**
 * Returns a `.d.ts` file for all content-types (docs/typescript.md). Equal definitions yield the same text.
 * @param client module from which the file imports, such as `quire-content/client`
 */
export function writeTypes(registry: Registry, settings: Settings, client: string): string {
  const types = typesOf(registry)
  const components = [...registry.components.values()].sort(byUid)
  const context = { settings, names: typeNames(types, components) }
  const routed = types.filter((type) => registry.byApiName.get(apiKey(type)) === type)
  return [
    header(client),
    declareInterface('Quire', serviceMembers(routed, context), {
      description: "The service's content-types, for `createClient<Quire>()`.",
    }),
    ...[...types, ...components].map((one) => declareStructure(one, context)),
    declareMorphTargets(registry, context),
    ...(types.some(({ populateCreatorFields }) => populateCreatorFields) ? [creator] : []),
  ].join('\n')
}

const header = (client: string): string =>
  [
    '/* Written by `quire types` from the definitions of content-types. Do not edit: changes are lost. */',
    '/* eslint-disable */',
    `import type { Filters, Inputs, Types, Values } from ${literal(client)}`,
    '',
  ].join('\n')

const apiKey = (type: ContentType): string => apiNameOf(type).toLowerCase()

/** Returns the project's content-types, those of users and files, and all that they refer to. */
function typesOf(registry: Registry): readonly ContentType[] {
  const defined = definedTypes(registry).map(({ uid }) => uid)
  const uids = new Set<string>([builtIn.user, builtIn.file, ...defined])
  for (const component of registry.components.values())
    for (const uid of namedBy(component)) if (registry.contentTypes.has(uid)) uids.add(uid)
  for (const uid of uids)
    for (const other of namedBy(typeOf(registry, uid)))
      if (registry.contentTypes.has(other)) uids.add(other)
  // The project's types come first, so that they keep their name if another type has the same.
  return [...uids].map((uid) => typeOf(registry, uid)).sort(byOrigin)
}

const origins = ['api', 'plugin', 'built-in']

const byOrigin = (a: ContentType, b: ContentType): number =>
  origins.indexOf(a.origin) - origins.indexOf(b.origin) || byUid(a, b)

function serviceMembers(types: readonly ContentType[], context: TypeContext): readonly Member[] {
  const listed = (kind: ContentType['kind']): string => {
    const members = types
      .filter((type) => type.kind === kind)
      .map((type) => `${key(apiNameOf(type))}: ${nameOf(context, type.uid)}Type`)
    return members.length === 0 ? '{}' : `{\n    ${members.join('\n    ')}\n  }`
  }
  return [
    { name: 'collections', type: listed('collectionType') },
    { name: 'singles', type: listed('singleType') },
    { name: 'file', type: `${nameOf(context, builtIn.file)}Type` },
    { name: 'user', type: `${nameOf(context, builtIn.user)}Type` },
  ]
}

function declareStructure(structure: ContentType | Component, context: TypeContext): string {
  const { uid, displayName } = structure
  const name = nameOf(context, uid)
  const isType = 'kind' in structure
  // In a change, the id identifies the stored component.
  const id = isType ? [] : [{ name: 'id', type: 'number' }]
  const bases = [`${name}Draft`]
  const own = [
    `entry: ${name}`,
    `parts: ${name}Parts`,
    `unsorted: ${unsortedNames(structure)}`,
    `filters: ${name}Filters`,
  ]
  const described = isType
    ? [
        `kind: ${literal(structure.kind)}`,
        `draftAndPublish: ${structure.draftAndPublish}`,
        // With locale fallbacks, an entry may have another locale than the requested one.
        `localized: ${structure.localized && context.settings['api.rest.localeFallback'] ? 'boolean' : structure.localized}`,
        ...own,
        `create: ${name}Create`,
        `update: ${name}Update`,
        `draft: ${name}Draft`,
        `defaultPopulate: ${defaultPopulateType(structure, context.settings['api.rest.defaultPopulate'])}`,
      ]
    : own
  return [
    declareInterface(name, entryMembers(structure), { description: `${displayName} (${uid}).` }),
    declareInterface(`${name}Parts`, partMembers(structure, context)),
    declareInterface(`${name}Filters`, filterMembers(structure, context), {
      bases: [`Filters.Logical<${name}Filters>`],
    }),
    declareInterface(`${name}Draft`, [
      ...id.map((member) => ({ ...member, optional: true })),
      ...draftMembers(structure, context),
    ]),
    declareInterface(`${name}Create`, stricterMembers(structure, 'Create', context), { bases }),
    declareInterface(`${name}Update`, [...id, ...stricterMembers(structure, 'Update', context)], {
      bases,
    }),
    `export interface ${name}Type {\n  ${described.join('\n  ')}\n}\n`,
  ].join('')
}

/** Declares the targets of polymorphic relations and of the `related` of files. */
function declareMorphTargets(registry: Registry, context: TypeContext): string {
  const members = morphTargets(registry)
    .filter(({ uid }) => context.names.has(uid))
    .sort(byUid)
    .map(({ uid }) => ({ name: uid, type: `${nameOf(context, uid)}Type` }))
  return declareInterface('MorphTargets', members, {
    description: 'Possible targets of polymorphic relations, by uid.',
  })
}

/** The shown members of an entry's author (docs/internals/decisions.md, "Who wrote an entry"). */
const creator = `/** The admin who created or changed an entry. */
export interface Creator {
  id: number
  documentId: string
  firstname: string | null
  lastname: string | null
  username: string | null
}
export interface CreatorFilters extends Filters.Logical<CreatorFilters> {
  id?: Filters.NumberFilter | undefined
  documentId?: Filters.TextFilter | undefined
  firstname?: Filters.TextFilter | undefined
  lastname?: Filters.TextFilter | undefined
  username?: Filters.TextFilter | undefined
}
export interface CreatorType {
  kind: 'collectionType'
  draftAndPublish: false
  localized: false
  entry: Creator
  parts: {}
  unsorted: never
  filters: CreatorFilters
  create: never
  update: never
  draft: never
  defaultPopulate: undefined
}
`

/**
 * Returns the type of the default `populate`.
 * @param trees `api.rest.defaultPopulate`, by uid
 */
function defaultPopulateType(type: ContentType, trees: PlainObject): string {
  const { options } = type.definition
  const own = objectOf(options).defaultPopulate
  const tree = Object.hasOwn(trees, type.uid) ? trees[type.uid] : own
  return tree === undefined || tree === '' || tree === null
    ? 'undefined'
    : literalType(populateOf(tree))
}

/** Converts comma-separated names to lists, and flags such as `'false'` to booleans. */
function populateOf(tree: unknown): unknown {
  if (typeof tree === 'string') return tree === '*' ? tree : namesIn([tree])
  if (Array.isArray(tree)) return namesIn(tree)
  if (!isObject(tree)) return []
  return Object.fromEntries(Object.entries(tree).map(([name, options]) => [name, partOf(options)]))
}

function partOf(options: unknown): unknown {
  if (!isObject(options)) return !['false', '0', 'f', false].includes(options as string)
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      if (name === 'populate') return [name, populateOf(option)]
      if (name === 'on' && isObject(option)) return [name, mapped(option)]
      if (name === 'count') return [name, partOf(option)]
      return [name, name === 'fields' && option !== '*' ? namesIn([option].flat()) : option]
    }),
  )
}

const mapped = (on: PlainObject): unknown =>
  Object.fromEntries(Object.entries(on).map(([uid, options]) => [uid, partOf(options)]))

const namesIn = (texts: readonly unknown[]): readonly string[] =>
  texts
    .flatMap((text) => String(text).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
