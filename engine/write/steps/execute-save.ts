import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { Publication, SavePlan } from './write-plan.js'
import { asStored, insertVersion } from './insert-version.js'
import { withReferences, writtenReferences } from './keep-references.js'
import { sameRun, writeConcern } from '../../database/durability.js'
import { findUnpublished } from './lookups.js'
import type { Held } from './execute-exclusive.js'
import { holdingBack, takeOver } from './execute-exclusive.js'
import { executeLocales } from './execute-shared.js'
import { executeOwner } from './execute-owners.js'
import type { PublicationResult } from './execute-publication.js'
import { executePublication } from './execute-publication.js'
import type { Fields } from '../../values/stored-types.js'

type Stored = Document & { _id: number }
/** How the steps ended. */
export type SaveResult = Readonly<
  /** `stored`: the version that was addressed, as it is stored now; absent where it has to be read. */
  | { kind: 'saved'; id: number; revision: number; stored?: Uint8Array | undefined }
  /** Somebody else wrote the document since it was read: nothing was changed. */
  | { kind: 'stale' }
  /** A unique index refused, and the draft is as it was. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while it was being published. */
  | { kind: 'gone' }
>

/**
 * Carries out the steps of a create, update or publish in the order of docs/storage.md, "The rules of
 * writing". Former owners of exclusive relations lose them last, when nothing can refuse the write any more.
 */
export async function executeSave(db: Db, plan: SavePlan): Promise<SaveResult> {
  const { main, publication, owners, now } = plan
  const concern = concernOf(db, plan)

  const mainConcern = await concern()
  const draft = await holdingBack(plan.releases, (held) => executeMain(db, plan, held, mainConcern))
  if (draft.refused !== undefined) return refusalOf(draft.refused)
  const checkRun = await sameRun(db)
  let result: PublicationResult = {
    ...{ id: main.id, revision: plan.revision },
    ...(publication === null && main.kind === 'insert' ? { stored: asStored(insertOf(main)) } : {}),
  }

  let publishing = publication === null ? null : await publish(db, plan, publication, concern)
  if (publication !== null && publishing?.result === 'late') {
    if (await putBack(db, plan)) return { kind: 'stale' }
    // Somebody wrote the draft since: their write follows from this one, which therefore is not undone.
    publishing = await publish(db, plan, { ...publication, conditional: false }, concern)
  }
  if (publishing !== null) {
    if (publishing.held.refused !== undefined) {
      await takeBack(db, plan)
      return refusalOf(publishing.held.refused)
    }
    if (publishing.result === 'late') return { kind: 'stale' }
    result = publishing.result
    const canBeLeftOver = result.isAsRead !== true
    if (canBeLeftOver && (await wasWithdrawn(db, plan))) {
      checkRun()
      return { kind: 'gone' }
    }
  }
  const refused = await executeLocales(db, plan, concern)
  if (refused !== undefined) {
    if (publication !== null) await putBackPublished(db, publication, plan)
    await takeBack(db, plan)
    return refusalOf(refused)
  }

  const fields = main.kind === 'insert' ? main.document : main.set
  let revision = await takeOver(db, plan, plan.releases, draft.references, fields)
  if (publication !== null && publishing !== null)
    revision = await takeOver(
      db,
      plan,
      publication.releases,
      publishing.held.references,
      publication.fields,
    )
  for (const write of owners) await executeOwner(db, write, now, await concern())
  checkRun()
  if (plan.settles) await forgetPending(db, plan)
  // These may have written the same version once more.
  const isLast = revision === undefined && plan.merges.length === 0 && owners.length === 0
  return {
    ...{ kind: 'saved', id: result.id, revision: revision ?? result.revision },
    stored: isLast ? result.stored : undefined,
  }
}

async function publish(
  db: Db,
  plan: SavePlan,
  publication: Publication,
  concern: () => Promise<WriteConcernOptions>,
): Promise<Readonly<{ held: Held; result: PublicationResult | 'late' }>> {
  const given = await concern()
  let result: PublicationResult | 'late' = { id: publication.id, revision: plan.revision }
  const held = await holdingBack(publication.releases, async (left) => {
    result = await executePublication(db, leaveOut(publication, left), plan, given)
  })
  return { held, result }
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

/** The owners have what was kept with the draft: it is forgotten, unless the draft was written since. */
async function forgetPending(
  db: Db,
  { main, documentId, locale, revision }: SavePlan,
): Promise<void> {
  await db
    .collection(main.collection)
    .updateOne(
      { documentId, locale, _settling: revision },
      { $unset: { _pending: '', _settling: '' } },
      await writeConcern(db, false),
    )
}

const insertOf = ({ id, document }: Extract<SavePlan['main'], { kind: 'insert' }>): Stored => ({
  _id: id,
  ...document,
})

const stale = ['_revision'] as const

function leaveOut(publication: Publication, held: readonly string[]): Publication {
  const { fields, difference } = publication
  return {
    ...publication,
    fields: without(fields, held),
    difference: difference === null ? null : without(difference, held),
  }
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

async function executeMain(
  db: Db,
  { main, documentId, locale, places }: SavePlan,
  held: readonly string[],
  concern: WriteConcernOptions,
): Promise<readonly string[] | void> {
  if (main.kind === 'insert') {
    const none = Object.fromEntries(held.map((field) => [field, null]))
    const version = withReferences({ ...insertOf(main), ...none }, places)
    await insertVersion(db, main.collection, version, concern)
    return
  }
  const { matchedCount } = await db
    .collection(main.collection)
    .updateOne(
      { documentId, locale, _revision: main.ifRevision },
      writtenReferences(main.previous, without(main.set, held), places),
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

/** After a refused publication the draft is what it was, or what somebody made of it meanwhile. */
async function takeBack(db: Db, plan: SavePlan): Promise<void> {
  if (await putBack(db, plan)) return
  const { main, documentId, locale, revision } = plan
  await db
    .collection(main.collection)
    .updateOne(
      { documentId, locale, _publishing: revision },
      { $unset: { _publishing: '' } },
      await writeConcern(db, true),
    )
}

/**
 * Makes the draft what it was (docs/storage.md, "Rule 7: the index has the last word").
 * @returns false where somebody wrote it meanwhile
 */
async function putBack(
  db: Db,
  { main, documentId, locale, revision, places }: SavePlan,
): Promise<boolean> {
  const collection = db.collection<Stored>(main.collection)
  const concern = await writeConcern(db, true)
  const ours = { documentId, locale, _revision: revision }
  if (main.kind === 'insert') return (await collection.deleteOne(ours, concern)).deletedCount > 0
  const previous = withReferences(withoutId(main, revision + 1), places)
  const back = await collection.replaceOne(ours, previous, concern)
  return back.matchedCount > 0
}

/** The same for the published version, where another locale refuses what they share. */
async function putBackPublished(
  db: Db,
  { collection, previous }: Publication,
  { documentId, locale, revision, places }: SavePlan,
): Promise<void> {
  const ours = { documentId, locale, _publishedFrom: revision }
  const concern = await writeConcern(db, true)
  const versions = db.collection<Stored>(collection)
  if (previous === null) await versions.deleteOne(ours, concern)
  else {
    const back = withReferences(withoutId({ previous }, revision + 1), places)
    await versions.replaceOne(ours, back, concern)
  }
}

function withoutId({ previous }: Readonly<{ previous: Fields }>, _revision: number) {
  return {
    ...Object.fromEntries(Object.entries(previous).filter(([key]) => key !== '_id')),
    _revision,
  }
}

/**
 * Whether the draft was deleted or unpublished meanwhile; what was published of it is then removed again
 * (docs/storage.md, "Rule 3: publishing goes forward only"). It need not be asked where the published version
 * was still there to be updated as it was read: who withdraws it writes the draft first, so that their
 * removal is yet to come.
 */
async function wasWithdrawn(
  db: Db,
  { main, publication, documentId, locale, revision }: SavePlan,
): Promise<boolean> {
  if (publication === null) return false
  // By its record id, which is the shortest way, and another one's where it was deleted and made again.
  const unpublished = await findUnpublished(db, main.collection, main.id)
  if (unpublished !== undefined && unpublished <= revision) return false
  await db
    .collection(publication.collection)
    .deleteOne(
      { documentId, locale, _publishedFrom: { $lte: revision } },
      await writeConcern(db, true),
    )
  return unpublished === undefined
}
