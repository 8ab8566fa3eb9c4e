import { mkdir } from 'node:fs/promises'
import { runService, type ServiceProcess } from '../../support/service-process.js'

/** A service that is restarted at the same address whenever its process has ended. */
export type Supervised = Readonly<{
  url: string
  /** Stops the process with `SIGTERM`, and resolves when the next one listens. */
  restart: () => Promise<Restarted>
  stop: () => Promise<number | null>
  kill: () => void
  /** Returns the output of all processes. */
  log: () => Promise<string>
}>

/** Times in ms: `stopped` from the signal to the exit, `ready` from the exit until the next process listens. */
export type Restarted = Readonly<{ code: number | null; stopped: number; ready: number }>

export async function supervise(
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<Supervised> {
  await mkdir(folder, { recursive: true })
  const all: ServiceProcess[] = []
  const start = async (): Promise<ServiceProcess> => {
    const service = runService(env, folder)
    all.push(service)
    await service.url
    return service
  }
  let running = await start()
  const url = await running.url
  const end = async (): Promise<number | null> => {
    running.kill('SIGTERM')
    return (await running.ended).code
  }
  return {
    url,
    restart: async () => {
      const begun = performance.now()
      const code = await end()
      const ended = performance.now()
      running = await start()
      const [stopped, ready] = [ended - begun, performance.now() - ended].map(Math.round)
      return { code, stopped: stopped ?? 0, ready: ready ?? 0 }
    },
    stop: end,
    kill: () => {
      for (const service of all) service.kill('SIGKILL')
    },
    log: async () =>
      (await Promise.all(all.map(async ({ ended }) => (await ended).stdout))).join('\n'),
  }
}
