/** Types of `filters`. A member that is `undefined` is ignored. */

type Values<V> = V | null | readonly (V | null)[]

/** Operators for any value. */
export interface Conditions<V> {
  $eq?: Values<V> | undefined
  $ne?: Values<V> | undefined
  $in?: Values<V> | undefined
  $notIn?: Values<V> | undefined
  $lt?: V | readonly V[] | undefined
  $lte?: V | readonly V[] | undefined
  $gt?: V | readonly V[] | undefined
  $gte?: V | readonly V[] | undefined
  $between?: readonly [V, V] | undefined
  $null?: boolean | undefined
  $notNull?: boolean | undefined
  $and?: readonly Filter<V>[] | undefined
  $or?: readonly Filter<V>[] | undefined
  $not?: Filter<V> | undefined
}

/** A filter of a value. A plain value means `$eq`, and a list means `$in`. */
export type Filter<V> = Values<V> | Conditions<V>

type Texts = string | readonly string[] | undefined

interface Matching {
  $eqi?: Texts
  $nei?: Texts
  $contains?: Texts
  $notContains?: Texts
  $containsi?: Texts
  $notContainsi?: Texts
  $startsWith?: Texts
  $startsWithi?: Texts
  $endsWith?: Texts
  $endsWithi?: Texts
}

interface TextConditions<V> extends Conditions<V>, Matching {
  $and?: readonly TextFilter<V>[] | undefined
  $or?: readonly TextFilter<V>[] | undefined
  $not?: TextFilter<V> | undefined
}

/**
 * Filters of strings, enumerations and numbers. `V` is the union of an enumeration's values. Text operators such as
 * `$contains` treat a number as its decimal notation.
 */
export type TextFilter<V = string> = Values<V> | TextConditions<V>

/** Filters of numbers. Large numbers may be given as strings. */
export type NumberFilter = TextFilter<number | bigint | string>

/** Filters of dates and times. Values are ISO 8601 (`2024-05-01`) or a `Date`. */
export type DateFilter = Filter<string | Date>

/** Filters of dates with a time. A value may also be the number of milliseconds since 1970. */
export type DateTimeFilter = Filter<string | number | Date>

export type BooleanFilter = Filter<boolean>

/** Filters of JSON, by path: `{ colour: { $eq: 'red' } }`. */
export type JsonFilter = null | JsonConditions

export interface JsonConditions {
  [name: string]:
    | JsonConditions
    | string
    | number
    | boolean
    | Date
    | null
    | readonly (string | number | boolean | Date | null | JsonConditions)[]
    | undefined
}

/** Operators that combine filters `F` of attributes. */
export interface Logical<F> {
  $and?: readonly F[] | undefined
  $or?: readonly F[] | undefined
  $not?: F | readonly F[] | undefined
}

type Reference = string | number

/** Operators that compare the documentId or id of a relation's target, or test whether the relation has a target. */
type ReferenceConditions = Pick<
  Conditions<Reference>,
  '$eq' | '$ne' | '$in' | '$notIn' | '$null' | '$notNull'
>

/** A filter of a relation: a documentId, an id, or filters `F` of the target. */
export type RelationFilter<F> = Values<Reference> | (F & ReferenceConditions)

/**
 * Says whether some, none or every target must match. A condition without a quantifier must match at least one target.
 */
interface Quantifiers<F> {
  $some?: F | undefined
  $none?: F | undefined
  $every?: F | undefined
}

/** Filters of a to-many relation or a multiple media field. */
export type RelationsFilter<F> =
  Values<Reference> | (F & ReferenceConditions & Quantifiers<F & ReferenceConditions>)

/** A filter of a component: filters `F` of its attributes, or a test whether the component is null. */
export type ComponentFilter<F> = F & { $null?: boolean | undefined; $notNull?: boolean | undefined }

/** Filters of a repeatable component. A quantifier says how many of its items must match. */
export type ComponentsFilter<F> = ComponentFilter<F> & Quantifiers<ComponentFilter<F>>
