import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { MainWrite, SavePlan } from '../plan/write-plan.js'
import { writeConcern } from './write-concern.js'
import { refusedIndex } from './write-duplicate.js'
import { executeOwner, executeRelease } from './write-owners.js'
import { executePublication } from './write-publication.js'
import { executeMerge, executeShared } from './write-shared.js'

type Stored = Document & { _id: number }

/** How the steps ended. */
export type SaveResult = Readonly<
  | { kind: 'saved'; id: number; revision: number }
  /** Somebody else wrote the document since it was read: nothing was changed. */
  | { kind: 'stale' }
  /** A unique index refused, and the draft is as it was. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while it was being published. */
  | { kind: 'gone' }
>

const maxAttempts = 5

/** Carries out the steps of a create, update or publish in the order of `storage.md`. */
export async function executeSave(db: Db, plan: SavePlan): Promise<SaveResult> {
  const { documentId, locale, main, publication, shared, merges, owners, now } = plan
  const place = { documentId, locale, now }
  const concern = concernOf(db, plan)

  const mainConcern = await concern()
  const refusedMain = await releasing(db, plan.releases, now, () =>
    executeMain(db, plan, mainConcern),
  )
  if (refusedMain !== undefined) return refusalOf(refusedMain)
  let result = { id: main.id, revision: plan.revision }

  if (publication !== null) {
    const publicationConcern = await concern()
    const refused = await releasing(db, publication.releases, now, async () => {
      result = await executePublication(db, publication, plan, publicationConcern)
    })
    if (refused !== undefined) {
      await putBack(db, plan)
      return refusalOf(refused)
    }
    if (await wasWithdrawn(db, plan)) return { kind: 'gone' }
  }
  for (const merge of merges) await executeMerge(db, merge, place)
  for (const write of shared) await executeShared(db, write, place, await concern())
  for (const write of owners) await executeOwner(db, write, now, await concern())
  return { kind: 'saved', ...result }
}

/** Gives each write that counts its concern in turn: only the last one waits for the journal. */
function concernOf(
  db: Db,
  { publication, shared, owners }: SavePlan,
): () => Promise<WriteConcernOptions> {
  let left = 1 + (publication === null ? 0 : 1) + shared.length + owners.length
  return () => {
    left -= 1
    return writeConcern(db, left <= 0)
  }
}

const stale = ['_revision'] as const

/** @returns the fields of the index that refused, `_revision` where somebody else was faster, undefined where it went well */
async function releasing(
  db: Db,
  releases: SavePlan['releases'],
  now: number,
  write: () => Promise<readonly string[] | void>,
): Promise<readonly string[] | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    for (const release of releases) await executeRelease(db, release, now)
    try {
      return (await write()) ?? undefined
    } catch (error) {
      const index = refusedIndex(error)
      if (index === undefined) throw error
      const isExclusive = releases.some(({ field }) => index[0] === `${field}.documentId`)
      if (!isExclusive || attempt === maxAttempts) return index
    }
  }
}

async function executeMain(
  db: Db,
  { main, documentId, locale }: SavePlan,
  concern: WriteConcernOptions,
): Promise<readonly string[] | void> {
  const collection = db.collection<Stored>(main.collection)
  if (main.kind === 'insert') {
    await collection.insertOne({ _id: main.id, ...main.document }, concern)
    return
  }
  const { matchedCount } = await collection.updateOne(
    { documentId, locale, _revision: main.ifRevision },
    { $set: main.set },
    concern,
  )
  if (matchedCount === 0) return stale
}

/** What an index says: another writer was faster, or a value is taken. */
function refusalOf(index: readonly string[]): SaveResult {
  const [field = '_id'] = index
  const isOurs = ['_revision', '_id', 'documentId', 'locale'].includes(field)
  return isOurs || field.includes('.') ? { kind: 'stale' } : { kind: 'taken', field }
}

/** After a refused publication the draft is what it was, if nobody wrote it meanwhile (`storage.md`, rule 7). */
async function putBack(db: Db, { main, documentId, locale, revision }: SavePlan): Promise<void> {
  const collection = db.collection<Stored>(main.collection)
  const concern = await writeConcern(db, true)
  const ours = { documentId, locale, _revision: revision }
  if (main.kind === 'insert') await collection.deleteOne(ours, concern)
  else await collection.replaceOne(ours, withoutId(main, revision + 1), concern)
}

function withoutId({ previous }: Extract<MainWrite, { kind: 'update' }>, _revision: number) {
  return {
    ...Object.fromEntries(Object.entries(previous).filter(([key]) => key !== '_id')),
    _revision,
  }
}

/** Whether the draft was deleted or unpublished meanwhile; what was published of it is then removed again (`storage.md`, rule 3). */
async function wasWithdrawn(
  db: Db,
  { main, publication, documentId, locale, revision }: SavePlan,
): Promise<boolean> {
  if (publication === null) return false
  const draft = await db
    .collection(main.collection)
    .findOne({ documentId, locale }, { projection: { _unpublishedFrom: 1 } })
  const unpublished = Number(draft?.['_unpublishedFrom'] ?? 0)
  if (draft !== null && unpublished <= revision) return false
  await db
    .collection(publication.collection)
    .deleteOne(
      { documentId, locale, _publishedFrom: { $lte: revision } },
      await writeConcern(db, true),
    )
  return draft === null
}
