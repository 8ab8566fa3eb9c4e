import type { ContentType } from '../schema/content-type.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import { morphTargets } from '../schema/morph-targets.js'
import type { Registry } from '../schema/registry.js'
import { builtIn, typeOf } from '../schema/registry.js'
import type { UniquesCheck } from './list-uniques.js'
import { type ReferencePath, referencePaths } from '../write/plan/plan-removal.js'
import type { ReferencePlaces } from '../values/references.js'
import { referencePlaces } from '../schema/reference-places.js'
import { uniqueFields, uniquePlaces } from '../schema/unique-places.js'

/** The checks of a repair, as plain data (docs/internals/storage.md, "The rules of writing"). */
export type RepairPlan = Readonly<{
  versions: readonly VersionsCheck[]
  shared: readonly SharedCheck[]
  lists: readonly ListCheck[]
  references: readonly ReferencesCheck[]
  listed: readonly ListedCheck[]
  uniques: readonly UniquesCheck[]
  localized: readonly LocalizedCheck[]
}>

/** Compares the drafts of a type with its published versions, and finishes interrupted publishes. */
export type VersionsCheck = Readonly<{ uid: string; drafts: string; published: string }>

/** Checks that all locales of a document have the same shared values. */
export type SharedCheck = Readonly<{
  uid: string
  collection: string
  fields: readonly string[]
  places: ReferencePlaces
  /** Stored names of the attributes whose components may contain unique values. */
  uniqueFields: ReadonlySet<string>
}>

/** Checks each version's stored list of references. */
export type ListedCheck = Readonly<{ collection: string; places: ReferencePlaces }>

/** Checks that all versions are in a configured locale. */
export type LocalizedCheck = Readonly<{
  uid: string
  /** Drafts come first, because they must be removed first. */
  collections: readonly string[]
  locales: string
}>

/** Checks an exclusive relation with many targets: each target must have at most one owner. */
export type ListCheck = Readonly<{
  collection: string
  field: string
  /** Set if owners are found by the index on `_refs`, because the relation has no index of its own. */
  listed?: true | undefined
}>

/** All paths of a collection's relation and media fields. */
export type ReferencesCheck = Readonly<{
  collection: string
  paths: readonly Readonly<{
    path: ReferencePath
    /** `authority` is the collection that decides whether a document exists. */
    targets: readonly Readonly<{ uid: string; authority: string }>[]
  }>[]
}>

/**
 * Returns the checks of a repair for all types of a registry.
 * @param sharedOf returns the stored names of the attributes that all locales of a document share
 */
export function planRepair(
  registry: Registry,
  sharedOf: (type: ContentType) => readonly string[],
): RepairPlan {
  const types = [...registry.contentTypes.values()]
  return {
    versions: types.filter((type) => type.draftAndPublish).map(versionsOf),
    shared: types.flatMap((type) => sharedChecks(type, registry, sharedOf(type))),
    lists: types.flatMap(listChecks),
    references: types.flatMap((type) => referencesChecks(type, registry)),
    listed: types.flatMap((type) => listedChecks(type, registry)),
    uniques: uniquesChecks(registry),
    localized: types.filter((type) => type.localized).map((type) => localizedOf(type, registry)),
  }
}

function versionsOf(type: ContentType): VersionsCheck {
  return {
    uid: type.uid,
    drafts: collectionOf(type, 'draft'),
    published: collectionOf(type, 'published'),
  }
}

function localizedOf(type: ContentType, registry: Registry): LocalizedCheck {
  const draftFirst = new Set([collectionOf(type, 'draft'), ...collectionsOf(type)])
  const locales = collectionOf(typeOf(registry, builtIn.locale), 'published')
  return { uid: type.uid, collections: [...draftFirst], locales }
}

function sharedChecks(
  type: ContentType,
  registry: Registry,
  fields: readonly string[],
): readonly SharedCheck[] {
  if (fields.length === 0) return []
  const places = referencePlaces(type, registry)
  return collectionsOf(type).map((collection) => {
    const lists = collection === collectionOf(type, 'published')
    const uniques = lists ? uniqueFields(uniquePlaces(type, registry)) : new Set<string>()
    return { uid: type.uid, collection, fields, places, uniqueFields: uniques }
  })
}

function listedChecks(type: ContentType, registry: Registry): readonly ListedCheck[] {
  const places = referencePlaces(type, registry)
  return collectionsOf(type).map((collection) => ({ collection, places }))
}

/**
 * Returns the checks of all types with unique attributes in components. With draft & publish, only published versions
 * are checked, because drafts list no unique values.
 */
export function uniquesChecks(registry: Registry): readonly UniquesCheck[] {
  const types = [...registry.contentTypes.values()].filter((type) => type.listsUniques === true)
  return types.map((type) => ({
    uid: type.uid,
    collection: collectionOf(type, 'published'),
    places: uniquePlaces(type, registry),
  }))
}

/** Exclusive relations with one target need no check, because a unique index ensures that each target has one owner. */
function listChecks(type: ContentType): readonly ListCheck[] {
  return [...type.attributes.values()].flatMap((attribute) =>
    attribute.type === 'relation' && attribute.owner && attribute.exclusive && attribute.many
      ? collectionsOf(type).map((collection) => ({
          collection,
          field: attribute.storedAs,
          listed: attribute.listed,
        }))
      : [],
  )
}

function referencesChecks(type: ContentType, registry: Registry): readonly ReferencesCheck[] {
  const paths = referencePaths(type, registry).map((path) => ({
    path,
    targets: targetsOf(path, registry).map((target) => ({
      uid: target.uid,
      authority: collectionOf(target, 'draft'),
    })),
  }))
  return paths.length === 0 ? [] : collectionsOf(type).map((collection) => ({ collection, paths }))
}

function targetsOf({ target }: ReferencePath, registry: Registry): readonly ContentType[] {
  return target === null ? morphTargets(registry) : [typeOf(registry, target)]
}
