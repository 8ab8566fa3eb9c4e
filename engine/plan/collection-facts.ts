/** What a cost depends on beside the plan, as it was found a while ago. */
export type CollectionFacts = Readonly<{
  /** Documents in it; 0 where it is not known. */
  entries: number
  /** Paths that an index begins with, the locale before them left out. */
  indexed: ReadonlySet<string>
  /** Those of them whose index has all documents, null included: entries can be read in its order. */
  ordered: ReadonlySet<string>
}>

export type FactsOf = (collection: string) => CollectionFacts
