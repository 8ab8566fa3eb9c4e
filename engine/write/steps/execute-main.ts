import type { Document } from 'mongodb'
import type { MainWrite, SavePlan } from './write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { insertVersion } from './insert-version.js'
import { withReferences, writtenReferences } from './keep-references.js'
import type { Fields } from '../../values/stored-types.js'

type Stored = Document & { _id: number }

/** What stands for the index that refuses where somebody was faster. */
const stale = ['_revision'] as const

/**
 * Writes the draft or only version (docs/storage.md, "Rule 2: compare and set").
 * @param held what relations get instead of what the plan says, by stored name
 * @returns the fields of the index that refused, in words: of what was compared
 * @throws the driver's error where a unique index refuses
 */
export async function executeMain(
  unit: UnitOfWork,
  { main, documentId, locale, places }: SavePlan,
  held: Held,
  isLast: boolean,
): Promise<readonly string[] | void> {
  if (main.kind === 'insert') {
    const none = Object.fromEntries(held.names.map((field) => [field, null]))
    const version = withReferences({ ...insertOf(main), ...none }, places)
    return insertVersion(unit, main.collection, version, isLast)
  }
  const { matchedCount } = await unit.write(isLast, (options) =>
    unit.db
      .collection(main.collection)
      .updateOne(
        { documentId, locale, _revision: main.ifRevision },
        writtenReferences(main.previous, withHeld(main.set, held), places),
        options,
      ),
  )
  if (matchedCount === 0) return stale
}

/** Relations whose target somebody else has: they stay as they are for now, or hold nothing. */
export type Held = Readonly<{ names: readonly string[]; hold: 'what they did' | 'nothing' }>

/** What is set, as far as it is not held back. */
export function withHeld(fields: Fields, { names, hold }: Held): Fields {
  const left = Object.entries(fields).filter(([name]) => !names.includes(name))
  const none = hold === 'nothing' ? names.filter((name) => name in fields) : []
  return Object.fromEntries([...left, ...none.map((name) => [name, null] as const)])
}

/** A version as it is inserted. */
export const insertOf = ({ id, document }: Extract<MainWrite, { kind: 'insert' }>): Stored => ({
  _id: id,
  ...document,
})

/** The owners have what was kept with the draft: it is forgotten, unless the draft was written since. */
export async function forgetPending(
  unit: UnitOfWork,
  { main, documentId, locale, revision }: SavePlan,
): Promise<void> {
  await unit.write(false, (options) =>
    unit.db
      .collection(main.collection)
      .updateOne(
        { documentId, locale, _settling: revision },
        { $unset: { _pending: '', _settling: '' } },
        options,
      ),
  )
}
