import { BSON } from 'mongodb'
import type { MainWrite, Publication, SavePlan } from '../plan/write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { insertVersion, updateVersion, type Stored, type VersionStep } from './write-version.js'
import { withReferences, writtenReferences } from '../../values/references.js'
import { markOf, withoutMark } from '../../values/modified.js'
import type { Fields, VersionKey } from '../../values/stored-types.js'
import type { AgreedDraft } from './take-off-marks.js'

/** Returned if another write has changed the version. A list of index fields, so that `refusalOf` also handles it. */
const stale = ['_revision'] as const

/**
 * Writes the draft or only version (docs/internals/storage.md, "Rule 2: compare and set").
 * @param held relations that are left out for now, because another owner has their target
 * @returns `stale` if another write has changed the version since it was read
 * @throws the driver's error if a unique index rejects the version
 */
export async function executeMain(
  unit: UnitOfWork,
  plan: SavePlan,
  held: Held,
  isLast: boolean,
): Promise<readonly string[] | void> {
  const { collection } = plan.main
  const step = mainStep(plan, held)
  if (step.kind === 'insert') return insertVersion(unit, collection, step.version, isLast)
  const updated = await updateVersion(unit, collection, step, {
    isLast,
    isAlone: plan.conditional === true,
  })
  const isDone = updated === 'unknown' ? await isWritten(unit, plan, held) : updated
  if (!isDone) return stale
}

/**
 * Whether this write's draft or only version is stored. If another write has saved the version since, its `updatedAt`
 * differs.
 */
async function isWritten(
  unit: UnitOfWork,
  { main, documentId, locale }: SavePlan,
  held: Held,
): Promise<boolean> {
  const fields = main.kind === 'insert' ? main.document : withHeld(main.set, held)
  const names = Object.keys(fields).filter((field) => !movedByOthers.has(field))
  const found = await unit.read((options) =>
    unit.db
      .collection<Stored>(main.collection)
      .findOne({ documentId, locale }, { promoteLongs: false, ...options }),
  )
  const bytesOf = (version: Fields): Uint8Array =>
    BSON.serialize(Object.fromEntries(names.map((name) => [name, version[name] ?? null])))
  return found !== null && Buffer.compare(bytesOf(found), bytesOf(fields)) === 0
}

/** Fields that writes of other versions change as well. */
const movedByOthers: ReadonlySet<string> = new Set(['_revision', '_stamps'])

/** Returns the step that writes the draft or only version. */
export function mainStep(
  { main, documentId, locale, places }: SavePlan,
  held: Held = nothingHeld,
): VersionStep {
  if (main.kind === 'insert') {
    const none = Object.fromEntries(held.names.map((field) => [field, null]))
    return { kind: 'insert', version: withReferences({ ...insertOf(main), ...none }, places) }
  }
  return {
    kind: 'update',
    filter: { documentId, locale, _revision: main.ifRevision },
    update: writtenReferences(main.previous, withHeld(main.set, held), places),
  }
}

/**
 * Relations to leave out because another owner has their target. They stay unchanged (`what they did`) or become null
 * (`nothing`).
 */
export type Held = Readonly<{ names: readonly string[]; hold: 'what they did' | 'nothing' }>

const nothingHeld: Held = { names: [], hold: 'nothing' }

/** Omits the relations in `names`, or sets them to null. */
function withHeld(fields: Fields, { names, hold }: Held): Fields {
  if (names.length === 0) return fields
  const left = Object.entries(fields).filter(([name]) => !names.includes(name))
  const none = hold === 'nothing' ? names.filter((name) => name in fields) : []
  return Object.fromEntries([...left, ...none.map((name) => [name, null] as const)])
}

/** Applies `withHeld` to all fields of a publication, and to its changed ones (`difference`). */
export function publicationWithHeld(publication: Publication, held: Held): Publication {
  const { fields, difference } = publication
  return {
    ...publication,
    fields: withHeld(fields, held),
    difference: difference && withHeld(difference, held),
  }
}

const insertOf = ({ id, document }: Extract<MainWrite, { kind: 'insert' }>): Stored => ({
  _id: id,
  ...document,
})

/** Returns the draft or only version as it is after the step. If the version has changed, the step fails. */
export const writtenMain = (main: MainWrite): Fields =>
  main.kind === 'insert' ? insertOf(main) : { ...main.previous, ...main.set }

/**
 * Removes the draft's `_modified` mark from a plan. A transaction changes draft and published version at the same
 * moment, so it needs no mark (docs/internals/storage.md, "Modified drafts").
 */
export function atOnce(plan: SavePlan): SavePlan {
  const { main, publication } = plan
  if (publication === null) return plan
  if (main.kind === 'insert')
    return { ...plan, main: { ...main, document: withoutMark(main.document) } }
  const set = { ...withoutMark(main.set), ...markOf(main.previous, false) }
  return { ...plan, main: { ...main, set } }
}

/** Deletes the applied pending edits of a draft, unless a later write has changed `_settling`. */
export async function forgetPending(
  unit: UnitOfWork,
  collection: string,
  { documentId, locale }: VersionKey,
  settling: number,
  isLast: boolean,
): Promise<void> {
  const filter = { documentId, locale, _settling: settling }
  const update = { $unset: { _pending: '', _settling: '' } } as const
  await unit.write(isLast, (options) =>
    unit.db.collection(collection).updateOne(filter, update, options),
  )
}

/** Outcome of a save. */
export type SaveResult = Readonly<
  /** `stored` is the written version; undefined if it would have to be read. */
  | {
      kind: 'saved'
      id: number
      revision: number
      stored?: Uint8Array | undefined
      /** The draft, if its `_modified` mark can be removed. */
      agreed?: AgreedDraft | undefined
    }
  /** Another write has changed the document since it was read. Nothing was written. */
  | { kind: 'stale' }
  /** A unique index rejected a value. The draft was restored. */
  | { kind: 'taken'; field: string }
  /** The document was deleted while this save was publishing it. */
  | { kind: 'gone' }
>

/**
 * Interprets a rejection by the unique index on the given fields: either another write was faster, or a value is taken.
 */
export function refusalOf(index: readonly string[]): SaveResult {
  const [field = '_id'] = index
  const isOurs = ['_revision', '_id', 'documentId', 'locale'].includes(field)
  return isOurs || field.includes('.') ? { kind: 'stale' } : { kind: 'taken', field }
}
