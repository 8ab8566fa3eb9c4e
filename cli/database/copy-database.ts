import type { Db } from 'mongodb'
import { findInstance } from '../../server/content-types/other-instances.js'
import { copyProgressCollection, type CopyProgress } from '../../server/database/half-copied.js'
import { contentSum, isEqual, type ContentSum } from './content-sum.js'
import { durable } from '../../engine/database/durability.js'
import { copyCollection, forgetCollection, recordedCollections } from './copy-collection.js'

/** The source or the target of a copy. */
export type CopySide = Readonly<{
  db: Db
  /** Name for messages, without credentials. */
  name: string
  /** Whether this process is the only one that can write to the database during the copy. */
  singleProcess: boolean
}>

/** The counts of copied data, or the time when an earlier run finished the copy. */
export type CopyReport =
  | Readonly<{ kind: 'copied'; collections: number; documents: number }>
  | Readonly<{ kind: 'was-copied'; at: Date }>

/**
 * Copies a whole database into an empty one, and compares the two by counts and checksums. Continues an interrupted
 * copy. Throws if the target contains data that is not part of this copy, or if a service uses the source.
 * @param onCollection called for each collection after it was copied and compared
 */
export async function copyDatabase(
  source: CopySide,
  target: CopySide,
  onCollection: (name: string, sum: ContentSum) => void = () => undefined,
): Promise<CopyReport> {
  await refuseServed(source)
  const notes = target.db.collection<CopyProgress>(copyProgressCollection)
  const begun = await notes.findOne({ _id: 'copy' })
  const names = await collectionsOf(source)
  if (begun?.finishedAt !== undefined && (await areEqual(source.db, target.db, names)))
    return { kind: 'was-copied', at: begun.finishedAt }
  await refuseContent(target, source, names, begun)
  if (begun === null) {
    const first: CopyProgress = { _id: 'copy', from: source.name, startedAt: new Date() }
    await notes.insertOne(first, durable)
  }
  await forgetGone(target.db, names)
  let documents = 0
  for (const name of names) {
    await copyCollection(source.db, target.db, name)
    const sum = await compared(source.db, target.db, name)
    documents += sum.count
    onCollection(name, sum)
  }
  await refuseServed(source)
  await notes.updateOne({ _id: 'copy' }, { $set: { finishedAt: new Date() } }, durable)
  await notes.deleteMany({ _id: { $ne: 'copy' } }, durable)
  return { kind: 'copied', collections: names.length, documents }
}

/**
 * Compares a collection in both databases. If they differ, the source has changed since the copy, and the collection is
 * copied once more. Throws if they still differ.
 */
async function compared(source: Db, target: Db, name: string): Promise<ContentSum> {
  for (let attempt = 1; ; attempt += 1) {
    const [there, here] = [
      await contentSum(source.collection(name)),
      await contentSum(target.collection(name)),
    ]
    if (isEqual(there, here)) return there
    if (attempt > 1)
      throw new Error(
        `${name} has changed since it was copied (${there.count} documents, ${here.count} in the copy). ` +
          'Stop all services that write to it, and run the copy again.',
      )
    await forgetCollection(target, name)
    await copyCollection(source, target, name)
  }
}

async function areEqual(source: Db, target: Db, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const there = await contentSum(source.collection(name))
    if (!isEqual(there, await contentSum(target.collection(name)))) return false
  }
  return true
}

/** Drops copied collections that the source no longer has. */
async function forgetGone(target: Db, names: readonly string[]): Promise<void> {
  const known = new Set<string>([...names, copyProgressCollection])
  for (const name of await namesIn(target))
    if (!known.has(name)) await forgetCollection(target, name)
}

async function collectionsOf({ db, name }: CopySide): Promise<readonly string[]> {
  const infos = await db.listCollections({}, { nameOnly: true }).toArray()
  const views = infos.filter(({ type }) => type !== 'collection')
  if (views.length > 0)
    throw new Error(
      `${name} has views or other special collections, which cannot be copied: ${views.map((one) => one.name).join(', ')}.`,
    )
  const names = infos.map((info) => info.name).filter(isCopied)
  if (names.length === 0) throw new Error(`${name} is empty, so there is nothing to copy.`)
  return names.toSorted()
}

const isCopied = (name: string): boolean =>
  name !== copyProgressCollection && !name.startsWith('system.')

const namesIn = async (db: Db): Promise<readonly string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .toSorted()

/** Throws if the target contains anything other than an unfinished copy from the same source. */
async function refuseContent(
  { db, name }: CopySide,
  source: CopySide,
  names: readonly string[],
  begun: CopyProgress | null,
): Promise<void> {
  if (begun !== null && (begun.finishedAt !== undefined || begun.from !== source.name))
    throw new Error(`${name} already contains a copy of ${begun.from}. ${emptyAlone}`)
  const noted =
    begun === null ? [] : [copyProgressCollection, ...names, ...(await recordedCollections(db))]
  const others = (await namesIn(db)).filter((one) => !noted.includes(one))
  if (others.length === 0) return
  const listed = `${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}`
  throw new Error(
    `${name} already contains ${others.length} collections (${listed}). ${emptyAlone}`,
  )
}

const emptyAlone = 'The target of a copy must be an empty database.'

/** Throws if a service uses the database, because the copy would miss what the service writes from now on. */
async function refuseServed({ db, name, singleProcess }: CopySide): Promise<void> {
  if (singleProcess) return
  const served = await findInstance(db)
  if (served === null) return
  throw new Error(
    `A service uses ${name} (process ${served.pid} on ${served.host}), and the copy would not contain its further writes. Stop it first.`,
  )
}
