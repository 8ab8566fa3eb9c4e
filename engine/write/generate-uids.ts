import type { TurnKeeper } from '../database/in-turn.js'
import type { UnitOfWork } from '../database/unit-of-work.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import { generatedUids } from '../schema/generated-uids.js'
import type { Change } from './change/change.js'
import type { OpenSave } from './change/resolve-change.js'
import type { SaveInput } from './save-input.js'
import type { FindHolders } from './steps/find-holders.js'
import type { SavePlan } from './steps/write-plan.js'
import { findFreeUid, uidOf } from './uids.js'

/** Uids that were made for a write, by their attribute. */
type Uids = ReadonlyMap<ScalarAttribute, string>

/**
 * Makes the uids that a new version leaves out of what their `targetField` will hold (docs/decisions.md, "Generated
 * uids").
 * @param turns of each uid, to be kept until the version is written: others must not choose the same
 */
export async function generateUids(
  unit: UnitOfWork,
  { type, documentId, locale, body, generateUids: isWanted }: SaveInput,
  { before, copy }: OpenSave,
  turns: TurnKeeper,
): Promise<Uids> {
  const uids = new Map<ScalarAttribute, string>()
  if (before !== undefined || isWanted === false) return uids
  for (const { attribute, target } of generatedUids(type)) {
    const text = body[target.name] ?? copy.fields[target.storedAs]
    if ((body[attribute.name] ?? null) !== null || typeof text !== 'string' || text === '') continue
    const place = { type, attribute, locale, documentId }
    const take = (uid: string): Promise<void> => turns.take(uidKey(place, uid))
    uids.set(attribute, await findFreeUid(unit, place, uidOf(place, text), take))
  }
  return uids
}

const uidKey = ({ type, locale }: Pick<Change, 'type' | 'locale'>, uid: string): string =>
  ['uid', type.uid, locale ?? '', uid].join(' ')

/** The same write as if its uids had been sent; no other document has them. */
export function withUids(
  input: SaveInput,
  open: OpenSave,
  findHolders: FindHolders,
  uids: Uids,
): Readonly<{ input: SaveInput; open: OpenSave; findHolders: FindHolders }> {
  if (uids.size === 0) return { input, open, findHolders }
  const made = [...uids]
  const body = { ...input.body, ...Object.fromEntries(made.map(([{ name }, uid]) => [name, uid])) }
  return {
    input: { ...input, body },
    open: { ...open, request: { ...open.request, body } },
    findHolders: async (field, value) =>
      made.some(([{ storedAs }, uid]) => storedAs === field && uid === value)
        ? []
        : findHolders(field, value),
  }
}

/** What its steps have to know of them: an index guards published ones, and drafts are claimed. */
export function planUids(change: Change, uids: Uids): Partial<SavePlan> {
  if (uids.size === 0) return {}
  const isDraft = change.type.draftAndPublish && !change.publish
  return {
    generated: [...uids.keys()].map(({ storedAs }) => storedAs),
    ...(isDraft && { claims: [...uids.values()].map((uid) => uidKey(change, uid)) }),
  }
}
