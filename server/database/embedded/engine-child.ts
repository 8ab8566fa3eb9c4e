import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { EngineStartError } from '../engine-start-error.js'
import type { EngineOrder, EngineReport, EngineSettings } from './engine-messages.js'
import { askEveryMs, busyTeller, createFreezeWatch } from '../freeze-watch.js'
import type { Recovery } from './recovery.js'

/** One run of the engine process, seen from its parent. */
export type EngineChild = Readonly<{
  pid: number
  recovery: Recovery | null
  /** Settles when the process has ended, with a text that says how. */
  ended: Promise<string>
  /** Asks it to end, and kills it if it does not. */
  stop(): Promise<void>
}>

export type ChildOptions = Readonly<{
  /** Called when it will take longer to be ready, because the last stop was not clean. */
  onRecovery: () => void
  /** Called when the process does not move any more, before it is killed. */
  onFrozen: (pid: number) => void
  /** How often it is asked whether it lives; for tests. */
  askEveryMs?: number | undefined
}>

const stopWithinMs = 9_000
const keptOutput = 2_000

/**
 * Starts an engine process and waits until it is ready; throws an {@link EngineStartError}. One that is frozen
 * is killed, and counts as one that died.
 */
export async function startEngineChild(
  settings: EngineSettings,
  options: ChildOptions,
): Promise<EngineChild> {
  const child = fork(
    fileURLToPath(new URL('./engine-process.js', import.meta.url)),
    [JSON.stringify(settings)],
    {
      execArgv: [],
      // With fewer malloc arenas its memory stays flat under load: 197 instead of 251 MB.
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  const errors = tailOf(child)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const how = signal ? `killed by ${signal}` : `exit code ${code}`
      resolve([how, errors()].filter(Boolean).join(': '))
    })
  })
  killWhenFrozen(child, ended, options)
  const recovery = await untilReady(child, ended, options.onRecovery)
  return { pid: child.pid ?? 0, recovery, ended, stop: () => stopChild(child, ended) }
}

/** As long as it lives, also while it starts and recovers, in which it has to answer as well. */
function killWhenFrozen(
  child: ChildProcess,
  ended: Promise<string>,
  { onFrozen, askEveryMs: everyMs = askEveryMs }: ChildOptions,
): void {
  const { pid } = child
  if (pid === undefined) return
  let answer = (): void => undefined
  child.on('message', ({ kind }: EngineReport) => {
    if (kind === 'alive') answer()
  })
  const isFrozen = createFreezeWatch({
    ask: (answered) => {
      answer = answered
      if (child.connected) child.send({ kind: 'ping' } satisfies EngineOrder, () => undefined)
    },
    isBusy: busyTeller(pid),
  })
  const timer = setInterval(() => {
    if (!isFrozen()) return
    clearInterval(timer)
    onFrozen(pid)
    child.kill('SIGKILL')
  }, everyMs)
  timer.unref()
  void ended.then(() => clearInterval(timer))
}

async function untilReady(
  child: ChildProcess,
  ended: Promise<string>,
  onRecovery: () => void,
): Promise<Recovery | null> {
  return new Promise((resolve, reject) => {
    child.on('message', (report: EngineReport) => {
      switch (report.kind) {
        case 'recovering':
          return onRecovery()
        case 'ready':
          return resolve(report.recovery)
        case 'failed':
          return reject(new EngineStartError(report.reason, report.message))
        case 'alive':
          return
      }
    })
    void ended.then((how) => reject(new EngineStartError('other', `its process ended (${how})`)))
  })
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  if (child.connected) child.send({ kind: 'stop' } satisfies EngineOrder, () => undefined)
  await ended
  clearTimeout(kill)
}

/** Keeps the last of what the process says on its way down, for the log. */
function tailOf(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-keptOutput)
  })
  return () => tail.trim()
}
