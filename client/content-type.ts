/** Base types of the types that `quire types` generates. This file exports no values. */

/** A content-type. */
export interface ContentType {
  kind: 'collectionType' | 'singleType'
  draftAndPublish: boolean
  localized: boolean
  /** Members that a response shows by default, with their types in a published version. */
  entry: object
  /** Members that are only shown if populated, by name. Each has a type such as `ToOne`. */
  parts: object
  /** Members of `entry` that cannot be sorted by, because they contain JSON. */
  unsorted: PropertyKey
  filters: object
  create: object
  update: object
  /** Body of a write with `status: 'draft'`. */
  draft: object
  /** Default `populate` of a GET. */
  defaultPopulate: unknown
}

/** A component. Its values are embedded in entries. */
export interface Component {
  entry: object
  parts: object
  unsorted: PropertyKey
  filters: object
}

/** A single media field. */
export interface OneFile<T> {
  is: 'one'
  target: T
}

/** A multiple media field. */
export interface Files<T> {
  is: 'many'
  target: T
}

/** Marks attributes that a response omits if the caller may not read their targets. */
export interface Hideable {
  hideable: true
}

/** A to-one relation. Its value is an entry or null. */
export interface ToOne<T> extends Hideable {
  is: 'one'
  target: T
}

/**
 * A relation that is always a list of entries: `localizations`, or a to-many relation if
 * `api.rest.wrapFilteredRelations` is off.
 */
export interface ToMany<T> extends Hideable {
  is: 'many'
  target: T
}

/**
 * A to-many relation: a list of entries. If populated with `filters` or `sort`, an object that contains the list as
 * `data`.
 */
export interface ToManyWrapped<T> extends Hideable {
  is: 'wrapped'
  target: T
}

/** `createdBy` or `updatedBy`, which `populate: '*'` does not include. */
export interface ToCreator<T> {
  is: 'creator'
  target: T
}

/** A component, or null. */
export interface OneComponent<C> {
  is: 'component'
  component: C
}

/** A required component. Every published version has a value for it. */
export interface RequiredComponent<C> {
  is: 'required'
  component: C
}

/** A repeatable component. */
export interface Components<C> {
  is: 'components'
  component: C
}

/** A dynamic zone. `members` are its components by uid. */
export interface DynamicZone<M> {
  is: 'zone'
  members: M
}

/** A polymorphic to-one relation. `members` are its content-types by uid. */
export interface MorphToOne<M> {
  is: 'morph'
  members: M
}

/** A polymorphic to-many relation. */
export interface MorphToMany<M> {
  is: 'morphs'
  members: M
}

/**
 * Like `MorphToMany`. If populated with `filters` or `sort`, its value is an object that contains the list as `data`.
 */
export interface MorphToManyWrapped<M> {
  is: 'morphsWrapped'
  members: M
}

/** The entries that use a file. */
export interface Uses<M> extends MorphToMany<M>, Hideable {}

/** Like `Uses`. If populated with `filters` or `sort`, its value is an object that contains the list as `data`. */
export interface UsesWrapped<M> extends MorphToManyWrapped<M>, Hideable {}

/** The types of a service's API. Files and users are separate, because they have their own endpoints. */
export interface Service {
  collections: object
  singles: object
  file: ContentType
  user: ContentType
}

/** The content-type that a relation or media field leads to. */
export type TargetOf<P> = P extends { target: infer T extends ContentType } ? T : never

/** The component of a component field. */
export type ComponentOf<P> = P extends { component: infer C extends Component } ? C : never

/** The components of a dynamic zone, or the content-types of a polymorphic relation, by uid. */
export type MembersOf<P> = P extends { members: infer M } ? M : never
