/**
 * What `quire types` says of content-types, in the words of which queries and answers are inferred. Nothing here is a
 * value: a file of generated types is made of these.
 */

/** A content-type. */
export interface ContentType {
  kind: 'collectionType' | 'singleType'
  draftAndPublish: boolean
  localized: boolean
  /** What a published version holds that is shown unasked. */
  entry: object
  /** What is shown only where it is populated, by name: each a `Part`. */
  parts: object
  /** Names of `entry` that nothing can be sorted by: those that hold JSON. */
  unsorted: PropertyKey
  filters: object
  create: object
  update: object
  /** What a write with `status: 'draft'` takes. */
  draft: object
  /** What a GET populates that names no `populate`. */
  defaultPopulate: unknown
}

/** A component, whose values are in entries. */
export interface Component {
  entry: object
  parts: object
  unsorted: PropertyKey
  filters: object
}

/** A medium, shown as a file or null. */
export interface OneFile<T> {
  is: 'one'
  target: T
}

/** Media: a list. */
export interface Files<T> {
  is: 'many'
  target: T
}

/** Attributes that an answer leaves out if the caller may not find their targets. */
export interface Hideable {
  hideable: true
}

/** A relation to one, shown as an entry or null. */
export interface ToOne<T> extends Hideable {
  is: 'one'
  target: T
}

/** `localizations`, or relations of a service with `api.rest.wrapFilteredRelations` off: a list. */
export interface ToMany<T> extends Hideable {
  is: 'many'
  target: T
}

/** A relation to many: a list, and `{ data: [...] }` where it is populated with `filters` or `sort`. */
export interface ToManyWrapped<T> extends Hideable {
  is: 'wrapped'
  target: T
}

/** `createdBy` and `updatedBy`: as a relation to one, and nothing that `*` means. */
export interface ToCreator<T> {
  is: 'creator'
  target: T
}

/** A component, or null. */
export interface OneComponent<C> {
  is: 'component'
  component: C
}

/** A component that every published version has. */
export interface RequiredComponent<C> {
  is: 'required'
  component: C
}

/** A list of a component's values. */
export interface Components<C> {
  is: 'components'
  component: C
}

/** A list of values of several components, by their uids. */
export interface DynamicZone<M> {
  is: 'zone'
  members: M
}

/** A polymorphic relation to one; `members`: content-types by uid. */
export interface MorphToOne<M> {
  is: 'morph'
  members: M
}

/** A polymorphic relation to many. */
export interface MorphToMany<M> {
  is: 'morphs'
  members: M
}

/** The same, `{ data: [...] }` where it is populated with `filters` or `sort`. */
export interface MorphToManyWrapped<M> {
  is: 'morphsWrapped'
  members: M
}

/** Where a file is used: as a polymorphic relation to many. */
export interface Uses<M> extends MorphToMany<M>, Hideable {}

/** The same, `{ data: [...] }` where it is populated with `filters` or `sort`. */
export interface UsesWrapped<M> extends MorphToManyWrapped<M>, Hideable {}

/** All that a service has: its content-types by the names of their endpoints, and what has endpoints of its own. */
export interface Service {
  collections: object
  singles: object
  file: ContentType
  user: ContentType
}

/** Of a relation's or medium's description, the content-type that it leads to. */
export type TargetOf<P> = P extends { target: infer T extends ContentType } ? T : never

/** Of a component's description, the component. */
export type ComponentOf<P> = P extends { component: infer C extends Component } ? C : never

/** Of a dynamic zone or a polymorphic relation, what its values may be, by uid. */
export type MembersOf<P> = P extends { members: infer M } ? M : never
