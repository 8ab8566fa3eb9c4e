import type { Db } from 'mongodb'
import type { Shape, Stored } from './shapes.js'

/** JSON texts by documentId: each document is written once per answer, however often it is shown. */
export type Fragments = ReadonlyMap<string, string>

type Reference = Readonly<{ documentId: string }>

/** Reads documents by documentId, each once, in one command. */
export async function readBatch(
  db: Db,
  { collection, projection }: Shape,
  documentIds: readonly string[],
  more: Readonly<Record<string, 1>> = {},
): Promise<readonly Stored[]> {
  if (documentIds.length === 0) return []
  return db
    .collection<Stored>(collection)
    .find({ documentId: { $in: [...documentIds] } }, { batchSize: 100_000 })
    .project<Stored>({ ...projection, ...more })
    .toArray()
}

/** The JSON of documents that are shown without anything populated. */
export async function readFragments(
  db: Db,
  shape: Shape,
  documentIds: readonly string[],
): Promise<Fragments> {
  const found = await readBatch(db, shape, documentIds)
  return new Map(found.map((it) => [it.documentId, JSON.stringify(shape.show(it))]))
}

/** Distinct documentIds that a field of some documents refers to. */
export function referred(holders: readonly Stored[], field: string): readonly string[] {
  return [...new Set(holders.flatMap((holder) => referencesOf(holder, field)))]
}

export function referencesOf(holder: Stored, field: string): readonly string[] {
  const stored = holder[field]
  if (stored === null || stored === undefined) return []
  return Array.isArray(stored)
    ? (stored as readonly Reference[]).map(({ documentId }) => documentId)
    : [(stored as Reference).documentId]
}

export const joinOne = (holder: Stored, field: string, fragments: Fragments): string =>
  fragments.get(referencesOf(holder, field)[0] ?? '') ?? 'null'

export const joinMany = (holder: Stored, field: string, fragments: Fragments): string =>
  `[${referencesOf(holder, field)
    .flatMap((documentId) => fragments.get(documentId) ?? [])
    .join(',')}]`

/** An object's JSON with members added whose JSON is at hand. */
export function withMembers(object: object, members: Readonly<Record<string, string>>): string {
  let json = JSON.stringify(object).slice(0, -1)
  for (const [name, value] of Object.entries(members)) json += `,"${name}":${value}`
  return `${json}}`
}
