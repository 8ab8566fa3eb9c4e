import type { Db } from 'mongodb'
import { completeFormat, readFormat, saveFilling } from './format-state.js'
import type { Part } from './migrations.js'

export type FillOptions = Readonly<{
  parts: readonly Part[]
  /** Called after each batch with how long it took; throws where the filling is to stop. */
  pause: (workedMs: number) => Promise<void>
  /** Called before it is said that all is filled; begins anew where an older program may have written. */
  watch: () => Promise<void>
}>

/**
 * Fills what is left of a format, and says so. After each batch it is remembered how far it came, so that
 * whoever goes on repeats one batch at most.
 * @returns what was done; undefined where it has to begin anew
 */
export async function fillFormat(
  db: Db,
  format: number,
  { parts, pause, watch }: FillOptions,
): Promise<Readonly<{ looked: number; changed: number }> | undefined> {
  const { filling = { round: 0, done: [] } } = await readFormat(db)
  const { round } = filling
  const done = new Set(filling.done)
  let [looked, changed] = [0, 0]
  for (const { name, fill } of parts) {
    if (done.has(name)) continue
    let after = filling.part?.name === name ? filling.part.after : undefined
    do {
      const start = performance.now()
      const filled = await fill(db, after)
      after = filled.after
      looked += filled.looked
      changed += filled.changed
      if (after === undefined) done.add(name)
      const part = after === undefined ? {} : { part: { name, after } }
      if (!(await saveFilling(db, { round, done: [...done], ...part }))) return undefined
      await pause(performance.now() - start)
    } while (after !== undefined)
  }
  await watch()
  return (await completeFormat(db, format, round)) ? { looked, changed } : undefined
}
