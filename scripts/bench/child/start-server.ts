import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../free-port.js'
import type { ProbeOrder, ProbeReport } from './probe-messages.js'

/** A server that runs in a process of its own. */
export type Server = Readonly<{
  name: string
  url: string
  pid: number
  /** Milliseconds from the start of the process to its first answer. */
  startMs: number
  begin: () => void
  /** What the process did since `begin`. */
  end: () => Promise<ProbeReport>
  stop: () => Promise<void>
}>

export type ServerOptions = Readonly<{
  name: string
  /** Compiled file with its arguments, from Node's options on. */
  command: readonly string[]
  environment: Readonly<Record<string, string>>
  /** Where it runs, and writes its log. */
  folder: string
  /** Asked until it is answered with 200. */
  firstRequest: Readonly<{ path: string; headers: Readonly<Record<string, string>> }>
}>

// Millions of entries are looked through at a start.
const startWithinMs = 600_000
const stopWithinMs = 10_000
const probe = new URL('./probe.js', import.meta.url).href

/** Starts a server and waits for its first answer. Throws with the end of its log where it ends instead. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { name, command, environment, firstRequest } = options
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await mkdir(options.folder, { recursive: true })
  const logFile = join(options.folder, `${name.replaceAll(' ', '-')}.log`)
  const log = await open(logFile, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', probe, ...command], {
    cwd: options.folder,
    env: { ...process.env, NODE_ENV: 'production', ...environment, PORT: String(port) },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  await log.close()
  const ended = once(child, 'exit')
  const answered = firstAnswer(child, url, firstRequest)
  if (!(await answered)) {
    await stopChild(child, ended)
    const tail = (await readFile(logFile, 'utf8')).slice(-2000)
    throw new Error(`${name} did not answer ${firstRequest.path}:\n${tail}`)
  }
  return {
    ...{ name, url, pid: child.pid ?? 0, startMs: performance.now() - started },
    begin: () => void child.send({ kind: 'begin' } satisfies ProbeOrder),
    end: async () => {
      const reported = once(child, 'message', { signal: AbortSignal.timeout(stopWithinMs) })
      child.send({ kind: 'end' } satisfies ProbeOrder)
      return ((await reported) as [ProbeReport])[0]
    },
    stop: () => stopChild(child, ended),
  }
}

/** Whether it came, before the process ended and within the time. */
async function firstAnswer(
  child: ChildProcess,
  url: string,
  { path, headers }: ServerOptions['firstRequest'],
): Promise<boolean> {
  const deadline = performance.now() + startWithinMs
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const response = await fetch(url + path, { headers }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok === true) return true
    await sleep(5)
  }
  return false
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(kill)
}
