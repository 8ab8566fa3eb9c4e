import type { Db } from 'mongodb'
import { asFirstWriter } from './as-first-writer.js'
import { inTurn } from './in-turn.js'
import { steadyNow } from '../steady-now.js'

type Block = { next: number; last: number; until: number; size: number }

const maxBlock = 100
const blockLifeMs = 1000
/** Numbers that one command takes for all who wait. */
const maxTaken = 1000

/** They belong to a database: a process may talk to several, as tests do. */
const blocks = new WeakMap<Db, Map<string, Block>>()
/** How many numbers are waited for, of each sequence. */
const wanted = new WeakMap<Db, Map<string, number>>()

/** Component ids have a sequence of their own (docs/storage.md, "An entry version"). */
export const componentSequence = 'components'

/**
 * Takes numbers that nobody else gets, rising. They come in blocks of at most 100, or of as many as are waited for, that
 * expire after a second, so that the numbers of several processes stay in about the order of time; a process that
 * writes rarely takes no more than it needs, and gives back what it did not use.
 * @param sequence uid of a content-type, `components`, or the name of a collection of the service's own
 */
export async function takeIds(db: Db, sequence: string, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  want(db, sequence, count)
  return inTurn(db, `sequence ${sequence}`, async () => {
    try {
      return await takeInTurn(db, sequence, count)
    } finally {
      want(db, sequence, -count)
    }
  })
}

/** Adds to what is waited for, and tells it. */
function want(db: Db, sequence: string, count: number): number {
  const own = wanted.get(db) ?? new Map<string, number>()
  wanted.set(db, own)
  const sum = (own.get(sequence) ?? 0) + count
  if (sum === 0) own.delete(sequence)
  else own.set(sequence, sum)
  return sum
}

/** One such number. */
export async function takeId(db: Db, sequence: string): Promise<number> {
  const [id] = await takeIds(db, sequence, 1)
  if (id === undefined) throw new Error(`The sequence ${sequence} gave no number`)
  return id
}

/** Gives the ids one by one. */
export function takerOf(ids: readonly number[]): () => number {
  const left = ids.values()
  return () => {
    const { value, done } = left.next()
    if (done === true || value === undefined) throw new Error('More ids are needed than were taken')
    return value
  }
}

async function takeInTurn(db: Db, sequence: string, count: number): Promise<readonly number[]> {
  const ids: number[] = []
  while (ids.length < count) {
    const block = await openBlock(db, sequence, count - ids.length)
    while (ids.length < count && block.next <= block.last) {
      ids.push(block.next)
      block.next += 1
    }
  }
  return ids
}

async function openBlock(db: Db, sequence: string, needed: number): Promise<Block> {
  const own = blocks.get(db) ?? new Map<string, Block>()
  blocks.set(db, own)
  const current = own.get(sequence)
  const alive = current !== undefined && steadyNow() < current.until
  if (alive && current.next <= current.last) return current
  // One that was used up in time was too small.
  const grown = alive ? Math.min(maxBlock, current.size * 2) : 1
  const size = Math.min(Math.max(grown, needed), maxBlock)
  // Where the database takes long, those who came meanwhile do not wait for one answer each.
  const taken = Math.max(size, Math.min(want(db, sequence, 0), maxTaken))
  const last = await advance(db, sequence, taken, current)
  const until = steadyNow() + blockLifeMs
  const block = { next: last - taken + 1, last, until, size }
  own.set(sequence, block)
  return block
}

/**
 * Moves the sequence on by `size`; what is returned is the last number of the block. If nobody has
 * taken numbers since, those that were left of the block before are given out again: ids have no gaps
 * where one process writes. A database that died may have lost the last block, whose numbers are in use.
 */
async function advance(
  db: Db,
  sequence: string,
  size: number,
  before: Block | undefined,
): Promise<number> {
  const onward = { $add: [{ $max: ['$value', before?.last ?? 0] }, size] }
  const value =
    before === undefined || before.next > before.last
      ? onward
      : { $cond: [{ $eq: ['$value', before.last] }, before.next - 1 + size, onward] }
  const update = () =>
    db
      .collection<{ _id: string; value: number }>('_sequences')
      .findOneAndUpdate({ _id: sequence }, [{ $set: { value } }], {
        upsert: true,
        returnDocument: 'after',
      })
  const first = await asFirstWriter(update)
  if (first === null) throw new Error(`The sequence ${sequence} could not be advanced`)
  return first.value
}
