import { versionsOf } from '../../engine/database/collection-versions.js'
import { send, type HttpAnswer, type HttpCall } from '../conformance/http.js'
import { profileSettings } from '../conformance/quire-process.js'
import { setUp, type Tokens } from '../conformance/setup.js'
import { testDatabaseUri } from '../support/database.js'
import { readsByMode, type ReadsByMode } from '../support/reads-by-mode.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

/** Two services on one database. One runs every read on its main thread, the other in its worker pool. */
export type InlineAndPooled = Readonly<{
  inline: TestApp
  pooled: TestApp
  databaseUri: string
  /** Tokens that both services accept. */
  tokens: Tokens
  /** Sends a GET request to both services at the same time. */
  compare: (call: HttpCall) => Promise<Comparison>
  /** Sends a write to the pooled service, and makes sure that the other one sees it. */
  write: (call: HttpCall) => Promise<PooledAnswer>
  stop: () => Promise<void>
}>

/** `pooledReads`: number of reads that the pooled service started in its pool for the request. */
type PooledAnswer = Readonly<{ answer: HttpAnswer; pooledReads: number }>

type Comparison = PooledAnswer &
  Readonly<{
    /** Differences between the responses of the two services. */
    differences: readonly string[]
  }>

/** Starts both services on an empty database with the locales, roles and tokens of the conformance cases. */
export async function startInlineAndPooled(): Promise<InlineAndPooled> {
  const databaseUri = await testDatabaseUri()
  const start = (costThreshold: number): Promise<TestApp> =>
    startApp({
      databaseUri,
      environment: profileSettings.strict,
      settings: {
        'pool.costThreshold': costThreshold,
        // Responses have purge keys, which show whether a worker has recorded what it has read.
        ...{ 'http.cache.public': 60, 'http.cache.keyHeader': 'Cache-Tag' },
      },
    })
  const pooled = await start(0)
  const tokens = await setUp(pooled.url, pooled.adminJwt)
  const inline = await start(Number.MAX_SAFE_INTEGER)
  return {
    ...{ inline, pooled, databaseUri, tokens },
    compare: (call) => compare(inline, pooled, call),
    write: async (call) => {
      const before = readsByMode(pooled.quire)
      const answer = await send(pooled.url, call)
      clearCaches(inline)
      return { answer, pooledReads: readsByMode(pooled.quire).pool - before.pool }
    },
    stop: async () => {
      await inline.quire.services.db.dropDatabase()
      await inline.stop()
      await pooled.stop()
    },
  }
}

async function compare(inline: TestApp, pooled: TestApp, call: HttpCall): Promise<Comparison> {
  const before = [readsByMode(inline.quire), readsByMode(pooled.quire)] as const
  const [one, other] = await Promise.all([send(inline.url, call), send(pooled.url, call)])
  const inlineReads = subtract(readsByMode(inline.quire), before[0])
  const pooledReads = subtract(readsByMode(pooled.quire), before[1])
  const headers = new Set([...one.headers.keys(), ...other.headers.keys()].filter(isComparable))
  const differences = [
    ...difference('status', one.status, other.status),
    ...difference('body', one.text, other.text),
    ...[...headers].flatMap((name) =>
      difference(name, one.headers.get(name), other.headers.get(name)),
    ),
    ...difference('reads on the main thread', inlineReads.inline, pooledReads.pool),
    ...difference('reads in the wrong mode', inlineReads.pool, 0),
    ...difference('reads in the wrong mode', 0, pooledReads.inline),
  ]
  return { answer: other, differences, pooledReads: pooledReads.pool }
}

type Value = string | number | null

function difference(name: string, one: Value, other: Value): readonly string[] {
  if (one === other) return []
  const [oneText, otherText] = [String(one), String(other)]
  let shared = 0
  while (shared < oneText.length && oneText[shared] === otherText[shared]) shared += 1
  const from = Math.max(0, shared - 50)
  return [`${name}: ${oneText.slice(from, from + 100)} -> ${otherText.slice(from, from + 100)}`]
}

/** Whether a header must be equal. Times and counters differ between requests. */
const isComparable = (header: string): boolean =>
  !['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'].includes(header)

const subtract = (now: ReadsByMode, before: ReadsByMode): ReadsByMode => ({
  inline: now.inline - before.inline,
  pool: now.pool - before.pool,
})

/** Clears the caches in which changes by another service can stay unseen for up to a second. */
function clearCaches({ quire: { access, services } }: TestApp): void {
  versionsOf(services.db.client).raise()
  access.rolesChanged()
  access.userChanged()
}
