import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from '../../cli/start/launch.js'
import type { OwnFigures } from './child/own-figures.js'

/** A service in a process of its own. */
export type StartedService = Readonly<{
  url: string
  pid: number
  /** What it told of itself last. */
  figures: () => OwnFigures | undefined
  /** Ends it. @throws where it does not end with 0 */
  stop: () => Promise<void>
}>

const startWithinMs = 60_000
const stopWithinMs = 30_000
const probe = new URL('./child/probe.js', import.meta.url).href

/** Starts a service as `npm start` does, its log in `folder`, and waits until it is ready. */
export async function startService(
  name: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<StartedService> {
  await mkdir(folder, { recursive: true })
  const logFile = join(folder, `${name}.log`)
  const log = await open(logFile, 'w')
  const command = [...launch.nodeOptions, '--import', probe, launch.program]
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...launch.environment,
      ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...environment },
    },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  })
  await log.close()
  let last: OwnFigures | undefined
  child.on('message', (figures: OwnFigures) => (last = figures))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const url = `http://127.0.0.1:${port}`
  for (const until = performance.now() + startWithinMs; !(await isReady(url)); await sleep(50))
    if (hasEnded() || performance.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`${name} did not start:\n${(await readFile(logFile, 'utf8')).slice(-2000)}`)
    }
  return {
    ...{ url, pid: child.pid ?? 0, figures: () => last },
    stop: async () => {
      const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      child.kill('SIGTERM')
      const code = await ended
      clearTimeout(kill)
      if (code !== 0) throw new Error(`${name} ended with ${code}; see ${logFile}`)
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/_ready`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok === true
}
