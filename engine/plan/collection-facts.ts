/** What a cost depends on beside the plan, as it was found a while ago. */
export type CollectionFacts = Readonly<{
  /** Documents in it; 0 where it is not known. */
  entries: number
  indexes: readonly IndexFacts[]
}>

export type IndexFacts = Readonly<{
  /** The paths behind the locale, in their order. */
  fields: readonly string[]
  /** Whether it has all documents, null included: entries can be read in its order. */
  isWhole: boolean
}>

export type FactsOf = (collection: string) => CollectionFacts

/** Of collections of which nothing is known. */
export const nothingKnown: FactsOf = () => ({ entries: 0, indexes: [] })
