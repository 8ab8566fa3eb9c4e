/** Fields of a stored document by stored name; values are those of BSON. */
export type Fields = Readonly<Record<string, unknown>>
