import { open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandHandler } from './command-handler.js'
import { readAll, runCommand } from './engine-commands.js'

/** How many collections were checked and repaired after an unclean stop. */
export type Recovery = Readonly<{ collections: number; repaired: number; milliseconds: number }>

const markerName = 'quire-running'

/**
 * A file in the data folder that exists while the engine runs. If the folder is copied during that time, the copy
 * contains the file too, and counts as not stopped cleanly.
 */
export class RunningMarker {
  readonly #directory: string
  readonly #path: string

  constructor(directory: string) {
    this.#directory = directory
    this.#path = join(directory, markerName)
  }

  /** Whether the last process in this folder ended without closing the engine. */
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
 * Corrects the document count in each collection's metadata, which MongoDB returns for a count without a filter: after
 * a `SIGKILL`, it was 1,000 for 2,700 documents. Counting takes a tenth of the time of `validate` (45 against 390 ms
 * for 100,000 documents with three indexes), so only collections with a wrong count are validated. If `signal` is
 * aborted, the remaining collections are skipped.
 */
export async function recoverTotals(
  handler: CommandHandler,
  signal?: AbortSignal,
): Promise<Recovery> {
  const start = performance.now()
  let collections = 0
  let repaired = 0
  const { databases } = await runCommand(handler, 'admin', { listDatabases: 1, nameOnly: true })
  for (const { name: database } of databases as { name: string }[]) {
    const infos = await readAll(handler, database, { listCollections: 1, nameOnly: true })
    for (const { name, type } of infos as { name: string; type: string }[]) {
      if (type !== 'collection' || signal?.aborted === true) continue
      collections++
      if (await isTotalExact(handler, database, name)) continue
      const { valid, errors } = await runCommand(handler, database, { validate: name })
      if (valid !== true) throw new Error(`${database}.${name} is damaged: ${String(errors)}`)
      repaired++
    }
  }
  return { collections, repaired, milliseconds: Math.round(performance.now() - start) }
}

async function isTotalExact(handler: CommandHandler, database: string, name: string) {
  const { n } = await runCommand(handler, database, { count: name })
  const [counted] = await readAll(handler, database, {
    aggregate: name,
    pipeline: [{ $group: { _id: null, n: { $sum: 1 } } }],
  })
  return Number(n) === Number(counted?.n ?? 0)
}
