import type { Attribute } from './attribute.js'

/** The JSON a definition is written in: that of a Strapi project's `schema.json`. */
export type Definition = Readonly<Record<string, unknown>>

/** What content-types and components share: named attributes in the order of the definition. */
export type Structure = Readonly<{
  /** `api::article.article`, or `shared.seo` for a component. */
  uid: string
  displayName: string
  /**
   * In the order of the definition, which is the order of answers (docs/decisions.md, "Order of members").
   * System attributes are not among them.
   */
  attributes: ReadonlyMap<string, Attribute>
  /** Where it has attributes of other definitions beside those that are served (`whole-types.ts`): their stored names. */
  beside?: ReadonlySet<string>
  /** As it was given, for `_schemas` and the builder's endpoints. */
  definition: Definition
}>

export type Component = Structure & Readonly<{ category: string }>

export type ContentType = Structure &
  Readonly<{
    kind: 'collectionType' | 'singleType'
    /** `api` types have generated endpoints; those of plugins have entries, and none; built-in types are the service's. */
    origin: 'api' | 'plugin' | 'built-in'
    singularName: string
    pluralName: string
    /** Holds published versions, or the only ones; drafts are in `<collectionName>.draft`. */
    collectionName: string
    draftAndPublish: boolean
    localized: boolean
    /** Whether `createdBy` and `updatedBy` may be populated (docs/decisions.md, "Who wrote an entry"). */
    populateCreatorFields: boolean
    /** Names of system attributes that are never shown (`options.privateAttributes`); absent = all are. */
    hidden?: ReadonlySet<string>
    /** `options.indexes`: extra compound indexes by attribute name. */
    indexes: readonly (readonly string[])[]
    /**
     * Whether what its versions refer to has an index as a list: some of it is in fields that have none, media and
     * fields of components (docs/storage.md, "References").
     */
    listed?: true
    /** Whether its published or only versions list unique values in components. */
    listsUniques?: true
  }>

export type Status = 'draft' | 'published'

/** The collection that holds a type's versions of a status. Types without draft & publish have one. */
export function collectionOf(type: ContentType, status: Status): string {
  return type.draftAndPublish && status === 'draft'
    ? `${type.collectionName}.draft`
    : type.collectionName
}

/** All that hold versions of a type, the authority first. */
export function collectionsOf(type: ContentType): readonly string[] {
  return [...new Set([collectionOf(type, 'draft'), collectionOf(type, 'published')])]
}

/** `/api/<apiName>`: the plural name of a collection type, the singular name of a single type. */
export function apiNameOf(type: ContentType): string {
  return type.kind === 'singleType' ? type.singularName : type.pluralName
}

/** Sorts by uid. */
export const byUid = (one: Pick<Structure, 'uid'>, other: Pick<Structure, 'uid'>): number =>
  one.uid < other.uid ? -1 : 1
