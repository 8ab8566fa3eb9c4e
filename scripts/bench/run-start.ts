import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from './child/start-server.js'
import { loadData } from './data/load-data.js'
import { median } from './figures.js'
import { memoryOf, treeOf } from './process-table.js'
import type { ServerName } from './servers.js'
import { serverNames, serverOptions } from './servers.js'
import type { Stage } from './stage.js'
import { commonEnvironment, makeToken, withQuire } from './stage.js'

/** Of a service with its own embedded engine, as it is started by hand. */
export type StartFigures = Readonly<{
  /** Milliseconds from the start of the process to the first answer with content. */
  coldStart: number
  /** MB (PSS) of all its processes a second later; null where the system does not tell. */
  idleMemory: number | null
}>

const starts = 3
const settleMs = 1000
/** Enough for a first page. */
const articles = 100

/** Starts each server on a folder of its own data, several times, and gives the medians. */
export async function runStart(
  { folder }: Pick<Stage, 'folder'>,
  onProgress: (what: string) => void,
): Promise<ReadonlyMap<ServerName, StartFigures>> {
  // No MONGODB_URI: each server starts the engine itself, as it does for whoever has none.
  const environment = {
    ...commonEnvironment,
    ...{ DATA_DIR: join(folder, 'start'), MONGODB_URI: '' },
  }
  // A run before this one may have left its own, where what is loaded is kept.
  await rm(environment.DATA_DIR, { recursive: true, force: true })
  const token = await withQuire(environment, async (quire) => {
    await loadData(quire.services.db, articles)
    return makeToken(quire)
  })
  const measured = new Map<ServerName, StartFigures[]>(serverNames.map((name) => [name, []]))
  for (let turn = 0; turn < starts; turn += 1) {
    for (const name of serverNames) {
      onProgress(`start ${turn + 1}, ${name}`)
      const server = await startServer(serverOptions(name, { folder, token, environment }))
      try {
        await sleep(settleMs)
        const memory = await memoryOf(await treeOf(server.pid))
        measured.get(name)?.push({
          coldStart: server.startMs,
          idleMemory: memory === null ? null : memory / (1024 * 1024),
        })
      } finally {
        await server.stop()
      }
    }
  }
  return new Map([...measured].map(([name, all]) => [name, medianStart(all)]))
}

function medianStart(all: readonly StartFigures[]): StartFigures {
  const memories = all.flatMap(({ idleMemory }) => idleMemory ?? [])
  return {
    coldStart: median(all.map(({ coldStart }) => coldStart)),
    idleMemory: memories.length === 0 ? null : median(memories),
  }
}
