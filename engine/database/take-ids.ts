import type { Db } from 'mongodb'
import { asFirstWriter } from './as-first-writer.js'
import { runInOrder } from './run-in-order.js'
import { monotonicNow } from '../monotonic-now.js'

type Block = { next: number; last: number; until: number; size: number }

const maxBlock = 100
const blockLifeMs = 1000
/** Maximum number of ids that one command reserves. */
const maxTaken = 1000

/** The current block of ids of each sequence. */
const blocks = new WeakMap<Db, Map<string, Block>>()
/** Number of ids that the waiting requests need, by sequence. */
const wanted = new WeakMap<Db, Map<string, number>>()

/** The sequence that the ids of all components come from (docs/internals/storage.md, "An entry version"). */
export const componentSequence = 'components'

/**
 * Returns unique, ascending ids. They are reserved in blocks, which expire after a second, so that the ids of several
 * processes are roughly in chronological order.
 * @param sequence uid of a content-type, `components`, or the name of one of the service's own collections
 */
export async function takeIds(db: Db, sequence: string, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  want(db, sequence, count)
  return runInOrder(db, `sequence ${sequence}`, async () => {
    try {
      return await takeInTurn(db, sequence, count)
    } finally {
      want(db, sequence, -count)
    }
  })
}

/** Adds `count` to the number of ids that requests are waiting for, and returns the sum. */
function want(db: Db, sequence: string, count: number): number {
  const own = wanted.get(db) ?? new Map<string, number>()
  wanted.set(db, own)
  const sum = (own.get(sequence) ?? 0) + count
  if (sum === 0) own.delete(sequence)
  else own.set(sequence, sum)
  return sum
}

/** Returns the next id of a sequence. */
export async function takeId(db: Db, sequence: string): Promise<number> {
  const [id] = await takeIds(db, sequence, 1)
  if (id === undefined) throw new Error(`The sequence ${sequence} returned no number`)
  return id
}

/** Returns a function that returns the next id at each call. */
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
  const alive = current !== undefined && monotonicNow() < current.until
  if (alive && current.next <= current.last) return current
  const grown = alive ? Math.min(maxBlock, current.size * 2) : 1
  const size = Math.min(Math.max(grown, needed), maxBlock)
  // Reserve ids for all waiting requests with one command.
  const taken = Math.max(size, Math.min(want(db, sequence, 0), maxTaken))
  const last = await advance(db, sequence, taken, current)
  const until = monotonicNow() + blockLifeMs
  const block = { next: last - taken + 1, last, until, size }
  own.set(sequence, block)
  return block
}

/**
 * Reserves `size` ids, and returns the last one. They start with the unused ids of the previous block, unless another
 * process has reserved ids since. If the database has crashed, it may have lost the reservation of the previous block,
 * although some of that block's ids are in use. The new ids then follow that block.
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
