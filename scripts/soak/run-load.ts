import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.js'
import { createClient } from './client.js'
import type { Ask, Mix, Story } from './mix.js'
import { createTally, type Tally } from './tally.js'

/** Workers that tell stories until they are ended. */
export type Load = Readonly<{
  tally: Tally
  /** Resolves when what has begun is done. */
  end: () => Promise<void>
}>

/** Asks the services in turn. */
export type Asker = Readonly<{ ask: Ask; tally: Tally; close: () => void }>

export function createAsker(urls: readonly string[], concurrency: number): Asker {
  const clients = urls.map((url): Client => createClient(url, concurrency))
  const tally = createTally()
  let turn = 0
  const ask: Ask = async (kind, statuses, asked) => {
    turn += 1
    const client = clients[turn % clients.length] as Client
    const told = `${asked.method ?? 'GET'} ${client.url}${asked.path}`
    const begun = performance.now()
    try {
      const answered = await client.ask(asked)
      if (statuses.includes(answered.status)) {
        tally.answered(kind, performance.now() - begun)
        return { ...answered, json: parsed(answered.text) }
      }
      tally.failed(kind, `${told}: ${answered.status} ${answered.text.slice(0, 300)}`)
    } catch (error) {
      tally.failed(kind, `${told}: ${String(error)}`)
    }
    throw new NotAnswered()
  }
  return { ask, tally, close: () => clients.forEach(({ close }) => close()) }
}

/** The request was counted as an error; what was to follow it is left out. */
class NotAnswered extends Error {}

/**
 * Tells stories of the mix, `concurrency` at a time.
 * @param rate stories begin so that as many requests are sent a second; undefined = one begins as soon as one is done
 */
export function startLoad(
  { ask, tally }: Asker,
  mix: Mix,
  { concurrency, rate }: Readonly<{ concurrency: number; rate: number | undefined }>,
): Load {
  let isOver = false
  /** When the next request is due. */
  let due = performance.now()
  const paced: Ask = (...args) => {
    // What could not be sent in time is not sent in a burst later on.
    if (rate !== undefined) due = Math.max(due + 1000 / rate, performance.now() - maxPauseMs)
    return ask(...args)
  }
  const work = async (): Promise<void> => {
    while (!isOver) {
      const restMs = rate === undefined ? 0 : due - performance.now()
      if (restMs > 0) {
        // Not all workers at once.
        await sleep(Math.min(restMs, maxPauseMs) * (0.5 + Math.random()))
        continue
      }
      await choose(mix)(paced).catch((error: unknown) => {
        if (!(error instanceof NotAnswered)) tally.failed('other', String(error))
      })
    }
  }
  const over = Promise.all(Array.from({ length: concurrency }, work))
  return {
    tally,
    end: async () => {
      isOver = true
      await over
    },
  }
}

/** How long a worker waits at most before it looks whether there is something to do, in milliseconds. */
const maxPauseMs = 500

function choose(mix: Mix): Story {
  let at = Math.random() * mix.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, tell } of mix) {
    at -= weight
    if (at < 0) return tell
  }
  throw new Error('The mix is empty')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
