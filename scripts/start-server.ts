import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.js'

type Texts = Readonly<Record<string, string>>

export type ServerOptions = Readonly<{
  name: string
  /** Arguments of `node`: its own options, the compiled file, and the arguments of that file. */
  command: readonly string[]
  environment: Texts
  /** Working directory of the server, and folder of its log. */
  folder: string
  /** Requested repeatedly until the response is a 2xx. */
  firstPath: string
  headers: Texts
}>

/** A server process. */
export type Server = Readonly<Awaited<ReturnType<typeof startServer>>>

/** The body is JSON, or a form. */
export type Call = Readonly<{ method: string; path: string; body?: string | FormData | undefined }>

// When it starts, the server may check millions of entries.
const startWithinMs = 600_000
const stopWithinMs = 10_000
const stopWithParent = new URL('../cli/start/stop-with-parent.js', import.meta.url).href

/**
 * Starts a server and waits for its first response. If it does not respond, throws an error with the end of its log.
 */
export async function startServer(options: ServerOptions) {
  const { name, command, environment, firstPath, headers, folder } = options
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  await mkdir(folder, { recursive: true })
  const logFile = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const log = await open(logFile, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', stopWithParent, ...command], {
    cwd: folder,
    env: { ...process.env, ...environment, NODE_ENV: 'production', PORT: port },
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
  const probe = () => send({ url, headers }, { method: 'GET', path: firstPath })
  while (!(await probe().catch(() => undefined))?.ok) {
    await sleep(5)
    if (!hasEnded() && performance.now() - started < startWithinMs) continue
    await stop()
    const tail = (await readFile(logFile, 'utf8')).slice(-2000)
    throw new Error(`${name} did not answer ${firstPath}:\n${tail}`)
  }
  const startMs = performance.now() - started
  return { ...options, url, pid: child.pid ?? 0, startMs, stop }
}

/** Sends a request and reads the whole response. */
export async function send(
  { url, headers }: Pick<Server, 'url' | 'headers'>,
  { method, path, body }: Call,
  signal?: AbortSignal,
) {
  const began = performance.now()
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
  const init = {
    method,
    body: body ?? null,
    headers: { ...headers, ...type },
    signal: signal ?? null,
  }
  const answer = await fetch(new URL(path, url), init)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { ok, status } = answer
  const tag = answer.headers.get('etag') ?? ''
  return { ok, status, tag, bytes, ms: performance.now() - began }
}
