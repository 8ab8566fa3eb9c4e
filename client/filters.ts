/** Filters as queries take them. `undefined` says nothing, as if the member were not there. */

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

/** A bare value is `$eq`, a list `$in`. */
export type Filter<V> = Values<V> | Conditions<V>

type Texts = string | readonly string[] | undefined

/** Operators that look into a text. */
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

/** Of texts, and of numbers by their text; `V`: an enumeration's values, or any. */
export type TextFilter<V = string> = Values<V> | TextConditions<V>

/** Of numbers; large ones as text. */
export type NumberFilter = TextFilter<number | bigint | string>

/** Of dates and times: `2024-05-01`, ISO 8601, or a `Date`. */
export type DateFilter = Filter<string | Date>

/** Of dates with times: also milliseconds since 1970. */
export type DateTimeFilter = Filter<string | number | Date>

export type BooleanFilter = Filter<boolean>

/** Of JSON, by path: `{ colour: { $eq: 'red' } }`. */
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

/** `$and`, `$or` and `$not` beside the attributes of an object of filters `F`. */
export interface Logical<F> {
  $and?: readonly F[] | undefined
  $or?: readonly F[] | undefined
  $not?: F | readonly F[] | undefined
}

type Reference = string | number

/** What can be asked of the target of a relation itself: which document or record it is, or whether there is one. */
type ReferenceConditions = Pick<
  Conditions<Reference>,
  '$eq' | '$ne' | '$in' | '$notIn' | '$null' | '$notNull'
>

/** Of a relation or medium, whose target's filters are `F`: a bare documentId or id, or what its target is. */
export type RelationFilter<F> = Values<Reference> | (F & ReferenceConditions)

/** Of several targets: how many match; what stands beside it has to match one of them. */
interface Quantifiers<F> {
  $some?: F | undefined
  $none?: F | undefined
  $every?: F | undefined
}

/** Of a relation to many, or of multiple media. */
export type RelationsFilter<F> =
  Values<Reference> | (F & ReferenceConditions & Quantifiers<F & ReferenceConditions>)

/** Of a component. */
export type ComponentFilter<F> = F & { $null?: boolean | undefined; $notNull?: boolean | undefined }

/** Of a repeatable component. */
export type ComponentsFilter<F> = ComponentFilter<F> & Quantifiers<ComponentFilter<F>>
