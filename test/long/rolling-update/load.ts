import { setTimeout as sleep } from 'node:timers/promises'
import type { RoundRobin } from '../../support/round-robin.js'
import { clientOf, dataOf, Failed, type Client, type Counts } from './client.js'
import { createGate } from './gate.js'
import type { Desk, Entry, Side } from './stories.js'
import { openDesk, removeTarget, tellStory, touch } from './stories.js'

/** Load balancers for all instances, and for those of each side. */
export type Pools = Readonly<Record<'all' | Side, RoundRobin>>

export type Load = Readonly<{
  counts: Counts
  /** Entries whose writes were acknowledged, without deleted ones. */
  entries: readonly Entry[]
  /** Lets requests begin that only one side can serve, or that both can serve. */
  open: (...kinds: readonly (Side | 'both')[]) => void
  /** Lets no more requests of these kinds begin. Resolves when those that have begun have ended. */
  close: (...kinds: readonly (Side | 'both')[]) => Promise<void>
  /** Stops all clients. Resolves when their last requests have ended. */
  end: () => Promise<void>
}>

/** Starts clients of every kind. All of their requests must succeed. */
export function startLoad(pools: Pools, token: string, writers: number): Load {
  const counts: Counts = { requests: 0, failures: [] }
  const entries: Entry[] = []
  const gate = createGate<Side | 'both'>()
  let isOver = false
  const any = clientOf(pools.all.url, token, counts)
  const of = (side: Side): Client => clientOf(pools[side].url, token, counts)

  const repeat = async (
    kind: Side | 'both',
    story: (turn: number) => Promise<unknown>,
    restMs: number,
  ): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const run = (): Promise<void> =>
        story(turn).then(
          () => undefined,
          (error: unknown) => {
            if (!(error instanceof Failed)) counts.failures.push(String(error))
          },
        )
      const passed = await gate.pass(kind, run)
      if (passed === 'closed') turn -= 1
      await sleep(passed === 'closed' ? 20 : restMs)
    }
  }
  const addEntry = (entry: Entry | undefined): void => {
    if (entry !== undefined) entries.push(entry)
  }
  const write = (side: Side): Promise<void> => {
    let desk: Desk | undefined
    return repeat(
      side,
      async (turn) => {
        desk ??= await openDesk(side, of(side))
        if (turn % 6 === 5) addEntry(await removeTarget(desk, of(side), any))
        else addEntry(await tellStory(desk, of(side), any, turn))
      },
      20,
    )
  }
  const busy = new Set<Entry>()
  const touchOthers = (): Promise<void> =>
    repeat(
      'both',
      async (turn) => {
        const free = entries.filter((entry) => entry.french && !busy.has(entry))
        const entry = free[Math.floor(Math.random() * free.length)]
        if (entry === undefined) return
        busy.add(entry)
        await touch(entry, any, turn)
        busy.delete(entry)
      },
      20,
    )
  const over = Promise.all([
    ...Array.from({ length: writers }, (_, at) => write(at % 2 === 0 ? 'former' : 'newer')),
    ...(['former', 'newer'] as const).map((side) => takeValues(side, of(side), repeat)),
    touchOthers(),
    touchOthers(),
    repeat('both', () => readLists(any), 30),
    repeat('both', () => uploadFile(any), 300),
    countUp(any, repeat),
  ])
  return {
    counts,
    entries,
    open: gate.open,
    close: gate.close,
    end: async () => {
      isOver = true
      await over
    },
  }
}

type Repeat = (
  kind: Side | 'both',
  story: (turn: number) => Promise<unknown>,
  restMs: number,
) => Promise<void>

/**
 * Writes the same unique value, of an attribute that only one side has, three times at once. Exactly one write must
 * succeed.
 */
function takeValues(side: Side, own: Client, repeat: Repeat): Promise<void> {
  const name = side === 'former' ? 'badge' : 'code'
  return repeat(
    side,
    async () => {
      const value = `taken ${Math.random()}`
      const answers = await Promise.all(
        [1, 2, 3].map(() =>
          own.ask('POST', '/api/notes', [201, 400], { body: { data: { [name]: value } } }),
        ),
      )
      const made = answers.filter(({ status }) => status === 201)
      if (made.length !== 1) throw new Error(`${made.length} entries have one ${name}`)
    },
    150,
  )
}

async function readLists(any: Client): Promise<void> {
  await any.ask('GET', '/api/notes?populate=*&sort=id:desc&pagination[pageSize]=10', [200])
  await any.ask('GET', '/api/labels?populate[notes][fields]=title&sort=id:desc', [200])
  await any.ask('GET', '/api/notes?filters[label][name][$notNull]=true&locale=fr', [200])
}

async function uploadFile(any: Client): Promise<void> {
  const form = new FormData()
  const content = `content ${Math.random()}`
  form.append('files', new Blob([content], { type: 'text/plain' }), 'file.txt')
  const { body } = await any.ask('POST', '/api/upload', [200, 201], { body: form })
  const [file] = body as readonly Readonly<{ id: number; url: string }>[]
  const { text } = await any.ask('GET', file?.url ?? '', [200])
  if (text !== content) throw new Error(`The file of ${file?.url} is another one`)
  await any.ask('DELETE', `/api/upload/files/${file?.id}`, [200])
}

/** Two clients increment a counter with ETags. It must never be lower than the acknowledged increments. */
function countUp(any: Client, repeat: Repeat): Promise<unknown> {
  let documentId: Promise<string> | undefined
  let acknowledged = 0
  const make = async (): Promise<string> =>
    dataOf(await any.ask('POST', '/api/notes', [201], { body: { data: { count: 0 } } })).documentId
  const raise = async (): Promise<void> => {
    documentId ??= make()
    const path = `/api/notes/${await documentId}`
    const before = acknowledged
    const read = await any.ask('GET', path, [200])
    const tag = read.headers.get('ETag') ?? ''
    const count = Number(dataOf(read)['count'])
    if (count < before) throw new Error(`The counter is ${count}, after ${before}`)
    const answer = await any.ask('PUT', path, [200, 412], {
      ...{ body: { data: { count: count + 1 } }, headers: { 'If-Match': tag } },
    })
    if (answer.status === 200) acknowledged = Math.max(acknowledged, count + 1)
  }
  return Promise.all([1, 2].map(() => repeat('both', raise, 50)))
}
