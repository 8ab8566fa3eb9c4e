import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MongoClient } from 'mongodb'
import type { Logger } from 'pino'
import { pino } from 'pino'
import { connectDatabase } from '../../../server/database/connect.js'
import type { DatabaseHost } from '../../../server/database/host.js'
import { startDatabaseHost } from '../../../server/database/host.js'

type LogLine = Readonly<
  { level: number; msg: string; enginePid?: number } & Record<string, unknown>
>

/** A logger whose lines can be read, the last one first. */
export type Journal = Readonly<{ log: Logger; find(text: string): LogLine | undefined }>

export function startJournal(also: (line: string) => void = () => undefined): Journal {
  const lines: LogLine[] = []
  const write = (line: string) => {
    also(line)
    lines.unshift(JSON.parse(line) as LogLine)
  }
  return {
    log: pino({ base: null }, { write }),
    find: (text) => lines.find(({ msg }) => msg.includes(text)),
  }
}

/** Things to undo after a test, the last one first, also when the test failed. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = []

  add(step: () => Promise<unknown>): void {
    this.#steps.unshift(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0)) await step()
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
    this.add(() => rm(folder, { recursive: true, force: true }))
    return folder
  }

  async host(dataDir: string, { log }: Journal = startJournal()): Promise<DatabaseHost> {
    const host = await startDatabaseHost({ dataDir, log })
    this.add(() => host.stop())
    return host
  }

  async client(uri: string, maxPoolSize?: number): Promise<MongoClient> {
    const client = await connectDatabase(uri, { appName: 'test', maxPoolSize })
    this.add(() => client.close())
    return client
  }
}

/** The process id of the engine that was started last. */
export function enginePid(journal: Journal): number {
  const pid = journal.find('The database engine is ready')?.enginePid
  if (pid === undefined) throw new Error('no engine was started')
  return pid
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits until the condition holds; the time is only how long a failing test takes. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${String(condition)}`)
    await sleep(10)
  }
}

/** A pipeline that runs for hours: it pairs all documents of a collection and drops the pairs. */
export const endless = (collection: string) => [
  {
    $lookup: {
      from: collection,
      pipeline: [
        {
          $lookup: {
            from: collection,
            pipeline: [{ $match: { $expr: { $eq: [{ $rand: {} }, 2] } } }],
            as: 'none',
          },
        },
        { $match: { 'none.0': { $exists: true } } },
      ],
      as: 'none',
    },
  },
]
