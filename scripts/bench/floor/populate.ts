import type { Db, Document } from 'mongodb'

/** A document as the driver returns it. */
export type Stored = Record<string, unknown> & { documentId: string }

/** What to read from a collection. */
export type Shape = Readonly<{ collection: string; projection: Document; locale: unknown }>

/** A collection to read populated documents from. `from` computes references that are not stored in a field. */
export type Node = Readonly<{ of: Shape; tree?: Tree | undefined; from?: unknown }>
export type Tree = Readonly<Record<string, Node>>

/** JSON strings by documentId. Each document is serialized once per response. */
type Texts = ReadonlyMap<string, string>

type Reference = Readonly<{ documentId: string }>

/** Returns a projection that includes the fields of the relations to populate. */
export const projectionOf = ({ projection }: Shape, tree: Tree = {}): Document => ({
  ...projection,
  ...Object.fromEntries(Object.entries(tree).map(([field, { from = 1 }]) => [field, from])),
})

/**
 * Reads the documents to populate, with one command per relation and level. Returns a function that serializes a
 * document with its populated relations. The function modifies the document.
 */
export async function populate(
  db: Db,
  documents: readonly Stored[],
  tree?: Tree,
): Promise<(document: Stored) => string> {
  const joins = await Promise.all(
    Object.entries(tree ?? {}).map(async ([field, node]) => {
      const texts = await readTexts(db, node, referred(documents, field))
      return [field, texts] as const
    }),
  )
  return (document) => (tree === undefined ? JSON.stringify(document) : joinTexts(document, joins))
}

/** Reads documents by documentId, with one command per level of relations. Returns their JSON. */
export async function readTexts(
  db: Db,
  { of, tree }: Node,
  documentIds: readonly string[],
): Promise<Texts> {
  if (documentIds.length === 0) return new Map()
  const found = await db
    .collection<Document>(of.collection)
    .find({ documentId: { $in: documentIds }, locale: of.locale }, { batchSize: 100_000 })
    .project<Stored>(projectionOf(of, tree))
    .toArray()
  const write = await populate(db, found, tree)
  return new Map(found.map((document) => [document.documentId, write(document)]))
}

/** Returns the distinct documentIds in a field of the documents. */
export const referred = (documents: readonly Stored[], field: string): readonly string[] => [
  ...new Set(documents.flatMap((document) => referencesOf(document[field]))),
]

const referencesOf = (value: unknown): readonly string[] =>
  [(value ?? []) as Reference | readonly Reference[]].flat().map(({ documentId }) => documentId)

/** Returns the JSON of an object with its references replaced by their targets. Modifies the object. */
export function joinTexts(
  object: Record<string, unknown>,
  joins: readonly (readonly [field: string, texts: Texts])[],
): string {
  let members = ''
  for (const [field, texts] of joins) {
    const value = object[field]
    if (value === undefined) continue
    const found = referencesOf(value).flatMap((documentId) => texts.get(documentId) ?? [])
    members += `,"${field}":${Array.isArray(value) ? `[${found.join(',')}]` : (found[0] ?? 'null')}`
    object[field] = undefined
  }
  return `${JSON.stringify(object).slice(0, -1)}${members}}`
}
