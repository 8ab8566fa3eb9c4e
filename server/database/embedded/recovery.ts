import { open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandHandler } from './command-handler.js'
import { readAll, runCommand } from './engine-commands.js'

/**
 * Result of recovering from an unclean stop: how many collections were checked, how many were repaired, and the
 * duration.
 */
export type Recovery = Readonly<{ collections: number; mended: number; milliseconds: number }>

const markerName = 'quire-running'

/**
 * Records whether the engine was stopped cleanly. A file in the data folder exists while the engine runs. Because the
 * file is in that folder, a copy of the folder made while the engine runs contains it too, and so counts as not stopped
 * cleanly.
 */
export class RunningMarker {
  readonly #directory: string
  readonly #path: string

  constructor(directory: string) {
    this.#directory = directory
    this.#path = join(directory, markerName)
  }

  /** Whether the last process that used this folder ended without closing the engine. */
  async exists(): Promise<boolean> {
    return stat(this.#path).then(
      () => true,
      () => false,
    )
  }

  async set(): Promise<void> {
    await writeFile(this.#path, '', { mode: 0o600, flush: true })
    const directory = await open(this.#directory, 'r')
    await directory.sync()
    await directory.close()
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true })
  }
}

/**
 * Corrects the document counts in the metadata of all collections, because unfiltered counts return them. After a
 * `SIGKILL` the metadata said 1,000 for 2,700 documents. `validate` repairs the metadata, but takes about ten times as
 * long as counting (390 against 45 ms for 100,000 documents with three indexes). So this counts first, and validates
 * only collections with wrong metadata. Skips the remaining collections once `signal` is aborted.
 */
export async function recoverTotals(
  handler: CommandHandler,
  signal?: AbortSignal,
): Promise<Recovery> {
  const start = performance.now()
  let collections = 0
  let mended = 0
  const { databases } = await runCommand(handler, 'admin', { listDatabases: 1, nameOnly: true })
  for (const { name: database } of databases as { name: string }[]) {
    const infos = await readAll(handler, database, { listCollections: 1, nameOnly: true })
    for (const { name, type } of infos as { name: string; type: string }[]) {
      if (type !== 'collection' || signal?.aborted === true) continue
      collections++
      if (await isTotalExact(handler, database, name)) continue
      const { valid, errors } = await runCommand(handler, database, { validate: name })
      if (valid !== true) throw new Error(`${database}.${name} is damaged: ${String(errors)}`)
      mended++
    }
  }
  return { collections, mended, milliseconds: Math.round(performance.now() - start) }
}

async function isTotalExact(handler: CommandHandler, database: string, name: string) {
  const { n } = await runCommand(handler, database, { count: name })
  const [counted] = await readAll(handler, database, {
    aggregate: name,
    pipeline: [{ $group: { _id: null, n: { $sum: 1 } } }],
  })
  return Number(n) === Number(counted?.n ?? 0)
}
