import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'
import { freePort } from '../../scripts/free-port.js'

/** A network fault, in the terms of toxiproxy. */
export type Toxic = Readonly<{
  type: 'latency' | 'bandwidth' | 'timeout' | 'reset_peer' | 'limit_data'
  /** `upstream` affects the bytes that clients send, `downstream` those that they receive. */
  stream: 'upstream' | 'downstream'
  attributes: Readonly<Record<string, number>>
}>

/** A proxy to a port, through a simulated network that can fail. */
export type ToxicWay = Readonly<{
  port: number
  /** Replaces the current faults. An empty list ends all faults. */
  turn: (toxics: readonly Toxic[]) => Promise<void>
  /** Stops listening, and closes all connections. */
  cut: () => Promise<void>
  mend: () => Promise<void>
  close: () => Promise<void>
}>

export type Toxiproxy = Readonly<{
  open: (to: number) => Promise<ToxicWay>
  close: () => Promise<void>
}>

/** Starts toxiproxy. Returns undefined if `npm run services -- toxiproxy` has not installed it. */
export async function startToxiproxy(): Promise<Toxiproxy | undefined> {
  const program = await findFile(`${cacheFolder(process.env)}/toxiproxy`, '/server')
  if (program === undefined) return undefined
  const control = await freePort()
  const child = spawn(program, ['-host', '127.0.0.1', '-port', `${control}`], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${control}`
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, ...sent })
    if (!answer.ok) throw new Error(`toxiproxy: ${answer.status} ${await answer.text()}`)
  }
  while (!(await ask('GET', '/version').then(yes, no))) await sleep(50)
  return {
    open: async (to) => openWay(to, ask),
    close: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const yes = (): boolean => true
const no = (): boolean => false

async function openWay(
  to: number,
  ask: (method: string, path: string, body?: object) => Promise<void>,
): Promise<ToxicWay> {
  const port = await freePort()
  const path = `/proxies/to-${to}`
  const ends = { listen: `127.0.0.1:${port}`, upstream: `127.0.0.1:${to}` }
  await ask('POST', '/proxies', { name: `to-${to}`, ...ends, enabled: true })
  let present: readonly Toxic[] = []
  const nameOf = ({ type, stream }: Toxic): string => `${type}-${stream}`
  return {
    port,
    turn: async (toxics) => {
      for (const toxic of present) await ask('DELETE', `${path}/toxics/${nameOf(toxic)}`)
      present = []
      for (const toxic of toxics) {
        await ask('POST', `${path}/toxics`, { name: nameOf(toxic), ...toxic })
        present = [...present, toxic]
      }
    },
    cut: () => ask('POST', path, { enabled: false }),
    mend: () => ask('POST', path, { enabled: true }),
    close: () => ask('DELETE', path),
  }
}
