import type { Db, Document } from 'mongodb'
import { readByCommand } from '../../database/read-by-command.js'
import type { ReadOptions } from '../../database/unit-of-work.js'
import type { FindAtOnce } from './find-at-once.js'
import { findAtOnce, inOneBatch, wholeBatch } from './find-at-once.js'

/** What is looked for in one collection. */
export type FindPart = Omit<FindAtOnce, 'exact'> & Readonly<{ projection: Document }>

/** Each part is a plan of the database's own, and all of them wait for the slowest. */
const maxParts = 10

/** Which part a document was found by; what is looked up has no field of that name. */
const partField = '_part'

/**
 * The few documents that a write looks up in several collections, by one command: a command costs about as much as
 * ten documents, and a transaction sends one after the other. `$unionWith` must not be in a transaction, in which each
 * part is a command.
 * @returns what each part found, in the order of the parts
 */
export async function findTogether<T extends Document = Document>(
  db: Db,
  parts: readonly FindPart[],
  options: ReadOptions,
): Promise<readonly (readonly T[])[]> {
  if (parts.length > maxParts) {
    const pieces = [parts.slice(0, maxParts), parts.slice(maxParts)]
    const both = pieces.map((piece) => findTogether<T>(db, piece, options))
    return (await Promise.all(both)).flat()
  }
  const areSingle = parts.length === 1 || options.session !== undefined
  const together = areSingle ? undefined : await findInUnion<T>(db, parts, options)
  if (together !== undefined) return together
  const found: (readonly T[])[] = []
  for (const part of parts) found.push(await findAtOnce<T>(db, part, options))
  return found
}

/** Undefined where it is more than one batch holds, or the command reached nobody. */
async function findInUnion<T extends Document>(
  db: Db,
  parts: readonly FindPart[],
  options: ReadOptions,
): Promise<readonly (readonly T[])[] | undefined> {
  const [[collection = '', first = []] = [], ...others] = parts.map(
    (part, at) => [part.collection, pipelineOf(part, at)] as const,
  )
  const unions = others.map(([coll, pipeline]) => ({ $unionWith: { coll, pipeline } }))
  const pipeline = [...first, ...unions]
  const command = { aggregate: collection, pipeline, cursor: inOneBatch }
  const answer = await readByCommand(db, command, options, options)
  const batch = await wholeBatch<T & { [partField]: number }>(db, collection, answer, options)
  if (batch === undefined) return undefined
  const found = parts.map((): T[] => [])
  for (const document of batch) found[document[partField]]?.push(document)
  return found
}

const pipelineOf = ({ filter, projection }: FindPart, at: number): readonly Document[] => [
  { $match: filter },
  { $project: { ...projection, [partField]: { $literal: at } } },
]
