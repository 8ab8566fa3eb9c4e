import { setTimeout as sleep } from 'node:timers/promises'
import { sender, type Answer, type Send } from '../../support/request.js'

type Counts = {
  acknowledged: number
  refused: number
  lost: number
  wrong: string[]
  /** Number of 503 responses by message. */
  refusals: Record<string, number>
}

/** `write` repeats each write until it is acknowledged, as `Retry-After` asks clients to do. */
type Client = Readonly<{
  write: (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>
  /** Sends a request once. Resolves to undefined if no response arrives. */
  once: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer | undefined>
}>

/** Content of each document after its last acknowledged write, by documentId. Null if it was deleted. */
type Expected = Map<string, Readonly<{ title: string; count: number; label: string | null } | null>>

export type Ledger = Readonly<{
  counts: Counts
  expected: Expected
  /** Increments of shared counters, by documentId. `maybe` is the number of increments whose outcome is unknown. */
  counters: Map<string, { acknowledged: number; maybe: number }>
  /** Waits until a write that began after `moment` is acknowledged, and resolves to the time of this response. */
  firstAfter: (moment: number) => Promise<number>
}>

/** Maximum duration of a request: 20 seconds for a write, and a margin for a busy machine. */
const longestMs = 30_000

/** Runs writers of every kind against services. The returned counts and contents are complete when `over` resolves. */
export function keepLedger(
  urls: readonly string[],
  token: string,
  isOver: () => boolean,
): Ledger & Readonly<{ over: Promise<void> }> {
  const counts: Counts = { acknowledged: 0, refused: 0, lost: 0, wrong: [], refusals: {} }
  const expected: Expected = new Map()
  const counters = new Map<string, { acknowledged: number; maybe: number }>()
  const acknowledged: (readonly [begun: number, done: number])[] = []
  const note = (begun: number): void => {
    counts.acknowledged += 1
    acknowledged.push([begun, performance.now()])
    if (acknowledged.length > 2000) acknowledged.splice(0, 1000)
  }
  const clientOf = (send: Send): Client => {
    const once: Client['once'] = async (method, path, body, headers = {}) => {
      const begun = performance.now()
      try {
        const signal = AbortSignal.timeout(longestMs)
        const answer = await send(method, path, { token, body, headers, signal })
        if (answer.status < 300 && method !== 'GET') note(begun)
        if (answer.status === 503 && !answer.headers.has('Retry-After'))
          counts.wrong.push(`${method} ${path} without Retry-After: ${answer.text}`)
        if (answer.status === 503 && method !== 'GET' && !answer.text.includes('"outcome":'))
          counts.wrong.push(`${method} ${path} without outcome: ${answer.text}`)
        if (answer.status === 503) {
          counts.refused += 1
          const { message } = (answer.body as { error: { message: string } }).error
          const refusal = `${method} ${message}`
          counts.refusals[refusal] = (counts.refusals[refusal] ?? 0) + 1
        } else if (answer.status >= 500) counts.wrong.push(`${method} ${path} ${answer.text}`)
        return answer
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError')
          counts.wrong.push(`${method} ${path} was not answered in ${longestMs} ms`)
        counts.lost += 1
        return undefined
      }
    }
    const write: Client['write'] = async (method, path, body, key) => {
      const headers = key === undefined ? {} : { 'Idempotency-Key': key }
      for (;;) {
        const answer = await once(method, path, body, headers)
        if (answer !== undefined && answer.status !== 503 && answer.status !== 409) return answer
        await sleep(100)
      }
    }
    return { once, write }
  }
  const clients = urls.map((url) => clientOf(sender(url)))
  const at = (number: number): Client => clients[number % clients.length] as Client
  const writers = [
    ...Array.from({ length: 24 }, (_, number) =>
      writeOwn(at(number), number, { expected, counts, isOver }),
    ),
    ...Array.from({ length: 6 }, (_, number) => count(at(number), counters, counts, isOver)),
    ...Array.from({ length: 4 }, (_, number) => takeSlugs(at(number), counts, isOver)),
    ...Array.from({ length: 4 }, (_, number) =>
      writeMany(at(number), number, { expected, counts, isOver }),
    ),
  ]
  const firstAfter = async (moment: number): Promise<number> => {
    for (;;) {
      const found = acknowledged.find(([begun]) => begun >= moment)
      if (found !== undefined) return found[1]
      await sleep(10)
    }
  }
  return {
    counts,
    expected,
    counters,
    firstAfter,
    over: Promise.all(writers).then(() => undefined),
  }
}

type Writing = Readonly<{ expected: Expected; counts: Counts; isOver: () => boolean }>

const dataOf = ({ body }: Answer): { documentId: string } & Record<string, unknown> =>
  (body as { data: { documentId: string } }).data

/**
 * Creates, updates, publishes and translates documents, with relations from both sides. Deletes every third document.
 */
async function writeOwn(
  client: Client,
  number: number,
  { expected, counts, isOver }: Writing,
): Promise<void> {
  const label = dataOf(
    await client.write(
      'POST',
      '/api/labels',
      { data: { name: `label ${number}` } },
      `label-${number}`,
    ),
  ).documentId
  for (let turn = 0; !isOver(); turn += 1) {
    const name = `${number}-${turn}`
    const data = { title: name, slug: name, count: 0 }
    const made = await client.write('POST', '/api/notes', { data }, `note-${name}`)
    if (made.status >= 300) {
      counts.wrong.push(`POST ${made.status} ${made.text}`)
      continue
    }
    const { documentId } = dataOf(made)
    const path = `/api/notes/${documentId}`
    const put = async (change: object, query = ''): Promise<void> => {
      const answer = await client.write('PUT', `${path}${query}`, { data: change })
      if (answer.status !== 200) counts.wrong.push(`PUT ${answer.status} ${answer.text}`)
    }
    await put({ title: `${name} draft` }, '?status=draft')
    await put({ title: `${name} b`, count: 1, label })
    await put({ title: `${name} fr` }, '?locale=fr')
    await put({ count: 2 })
    const isOther = turn % 2 === 0
    if (isOther)
      await client.write('PUT', `/api/labels/${label}`, {
        data: { notes: { disconnect: [documentId] } },
      })
    if (turn % 3 === 0) {
      const deleted = await client.write('DELETE', `${path}?locale=*`)
      if (deleted.status !== 204) counts.wrong.push(`DELETE ${deleted.status} ${deleted.text}`)
      expected.set(documentId, null)
    } else expected.set(documentId, { title: `${name} b`, count: 2, label: isOther ? null : label })
  }
}

/** Repeats each bulk request until no operation is rejected with 503 or 409. */
async function writeMany(
  client: Client,
  number: number,
  { expected, counts, isOver }: Writing,
): Promise<void> {
  type Answered = Readonly<{ status: number; data?: Readonly<{ documentId: string }> }>
  const write = async (
    operations: readonly object[],
    key: string,
  ): Promise<readonly Answered[]> => {
    for (;;) {
      const { body } = await client.write('POST', '/api/notes/bulk', { operations }, key)
      const { data } = body as { data: readonly Answered[] }
      if (data.every(({ status }) => status !== 503 && status !== 409)) return data
      await sleep(100)
    }
  }
  for (let turn = 0; !isOver(); turn += 1) {
    const names = Array.from({ length: 5 }, (_, at) => `many-${number}-${turn}-${at}`)
    const made = await write(
      names.map((name) => ({ op: 'create', data: { title: name, slug: name, count: 0 } })),
      `many-${number}-${turn}`,
    )
    const ids = made.map(({ data }) => data?.documentId ?? '')
    const raised = await write(
      ids.flatMap((documentId) => [
        { op: 'update', documentId, locale: 'fr', data: { title: 'fr' } },
        { op: 'update', documentId, data: { count: 2 } },
      ]),
      `more-${number}-${turn}`,
    )
    if (made.some(({ status }) => status !== 201) || raised.some(({ status }) => status !== 200))
      counts.wrong.push(`bulk ${JSON.stringify([made, raised])}`)
    for (const [at, documentId] of ids.entries())
      expected.set(documentId, { title: names[at] ?? '', count: 2, label: null })
    await sleep(200)
  }
}

/** Increments a shared counter with the ETag that it has read, so that no increment overwrites another. */
async function count(
  client: Client,
  counters: Ledger['counters'],
  counts: Counts,
  isOver: () => boolean,
): Promise<void> {
  const { documentId } = dataOf(
    await client.write('POST', '/api/notes', { data: { title: 'counter', count: 0 } }, 'counter'),
  )
  const path = `/api/notes/${documentId}`
  const counter = counters.get(documentId) ?? { acknowledged: 0, maybe: 0 }
  counters.set(documentId, counter)
  while (!isOver()) {
    const read = await client.once('GET', path)
    if (read?.status !== 200) continue
    const tag = read.headers.get('ETag') ?? ''
    const change = { data: { count: Number(dataOf(read)['count']) + 1 } }
    const answer = await client.once('PUT', path, change, { 'If-Match': tag })
    if (answer?.status === 200) counter.acknowledged += 1
    else if (answer === undefined || (answer.status === 503 && !answer.text.includes('not-done')))
      counter.maybe += 1
    else if (![412, 409, 503].includes(answer.status))
      counts.wrong.push(`If-Match ${answer.status} ${answer.text}`)
    await sleep(20)
  }
}

/** Creates documents with unique values. Several clients use the same values at the same time. */
async function takeSlugs(client: Client, counts: Counts, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const slug = `taken-${Math.floor(performance.now() / 500)}`
    const answer = await client.once('POST', '/api/notes', { data: { title: 'slug', slug } })
    if (answer !== undefined && ![201, 400, 409, 503].includes(answer.status))
      counts.wrong.push(`slug ${answer.status} ${answer.text}`)
    await sleep(50)
  }
}
