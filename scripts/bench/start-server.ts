import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.js'

export type Headers = Readonly<Record<string, string>>
export type Environment = Readonly<Record<string, string>>

export type ServerOptions = Readonly<{
  name: string
  /** Compiled file with its arguments, from Node's options on. */
  command: readonly string[]
  environment: Environment
  /** Settings that the environment of the bench overrides. */
  defaults?: Environment
  /** Where it runs, and writes its log. */
  folder: string
  /** Sent again and again until the answer is a 2xx. */
  firstRequest: Readonly<{ path: string; headers: Headers }>
}>

// A start checks millions of entries.
const startWithinMs = 600_000
const stopWithinMs = 10_000
const endWithBench = new URL('./child/end-with-bench.js', import.meta.url).href

/** Starts a server and waits for its first answer. Throws with the end of its log if it ends instead. */
export async function startServer(options: ServerOptions) {
  const { name, command, environment, defaults, firstRequest, folder } = options
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await mkdir(folder, { recursive: true })
  const logFile = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const log = await open(logFile, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', endWithBench, ...command], {
    cwd: folder,
    env: {
      ...defaults,
      ...process.env,
      ...environment,
      NODE_ENV: 'production',
      PORT: String(port),
    },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  await log.close()
  const ended = once(child, 'exit')
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const stop = async (): Promise<void> => {
    if (hasEnded()) return
    const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    child.kill('SIGTERM')
    await ended
    clearTimeout(kill)
  }
  const answers = async (): Promise<boolean> => {
    const { path, headers } = firstRequest
    const response = await fetch(url + path, { headers }).catch(() => undefined)
    await response?.arrayBuffer()
    return response?.ok === true
  }
  while (!(await answers())) {
    await sleep(5)
    if (!hasEnded() && performance.now() - started < startWithinMs) continue
    await stop()
    const tail = (await readFile(logFile, 'utf8')).slice(-2000)
    throw new Error(`${name} did not answer ${firstRequest.path}:\n${tail}`)
  }
  return { name, url, pid: child.pid ?? 0, startMs: performance.now() - started, stop }
}

/** A server that runs in a process of its own. */
export type Server = Readonly<Awaited<ReturnType<typeof startServer>>>
