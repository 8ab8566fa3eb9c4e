import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runService, type ServiceProcess } from '../../support/service-process.js'
import { writeFiles } from '../../support/temporary-folder.js'
import { definitions } from './definitions.js'
import type { Pools } from './load.js'
import type { Side } from './stories.js'

/**
 * Milliseconds from the signal to the old instance until it has ended (`stopped`), and until the new one is ready
 * (`ready`).
 */
export type Replaced = Readonly<{ stopped: number; ready: number }>

/** Processes of the service. An update replaces each with one that has other definitions. */
export type Instances = Readonly<{
  /** Starts an instance with the definitions of `side`, and waits until it receives requests. */
  start: (side: Side) => Promise<void>
  /** Stops the oldest instance, then starts one with the definitions of `side`. */
  replace: (side: Side) => Promise<Replaced>
  /** Stops all instances, and resolves to their exit codes. */
  stop: () => Promise<readonly (number | null)[]>
  kill: () => void
  /** Returns the output of all instances, including ended ones. */
  logs: () => Promise<readonly string[]>
}>

/**
 * Returns a setting that populates by default a relation that only `side` has. An instance with this setting cannot
 * adopt the other definitions.
 */
const stubborn = (side: Side) => ({
  API_REST_DEFAULT_POPULATE: JSON.stringify({
    'api::note.note': side === 'former' ? 'source' : 'editor',
  }),
})

/** `servesOn`: whether instances keep serving their own definitions while others have newer ones. */
export async function openInstances(
  folder: string,
  env: Readonly<Record<string, string>>,
  pools: Pools,
  servesOn: boolean,
): Promise<Instances> {
  for (const side of ['former', 'newer'] as const)
    await writeFiles(schemaDir(folder, side), definitions(side))
  const running: Readonly<{ side: Side; service: ServiceProcess; url: string }>[] = []
  const ended: ServiceProcess[] = []
  let count = 0
  const poolsOf = (side: Side) =>
    servesOn ? [pools.all, pools[side]] : [pools.all, pools.former, pools.newer]
  const start = async (side: Side): Promise<void> => {
    const data = join(folder, `data${(count += 1)}`)
    await mkdir(data)
    const own = {
      ...{ DATA_DIR: data, SCHEMA_DIR: schemaDir(folder, side) },
      ...(servesOn ? stubborn(side) : {}),
    }
    const service = runService({ ...env, ...own }, folder)
    ended.push(service)
    const url = await service.url
    running.push({ side, service, url })
    await Promise.all(poolsOf(side).map((pool) => pool.add(url)))
  }
  return {
    start,
    replace: async (side) => {
      const oldest = running.shift()
      if (oldest === undefined) throw new Error('Nothing runs')
      const begun = performance.now()
      oldest.service.kill('SIGTERM')
      const { code, stderr } = await oldest.service.ended
      if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`)
      const stopped = Math.round(performance.now() - begun)
      for (const pool of poolsOf(oldest.side)) pool.remove(oldest.url)
      await start(side)
      return { stopped, ready: Math.round(performance.now() - begun) }
    },
    stop: () => {
      for (const { service } of running) service.kill('SIGTERM')
      return Promise.all(running.map(async ({ service }) => (await service.ended).code))
    },
    kill: () => {
      for (const service of ended) service.kill('SIGKILL')
    },
    logs: () => Promise.all(ended.map(async (service) => (await service.ended).stdout)),
  }
}

export const schemaDir = (folder: string, side: Side): string => join(folder, side)
