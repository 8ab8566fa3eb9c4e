import { versionsOf } from '../../engine/database/collection-versions.js'
import { send, type HttpAnswer, type HttpCall } from '../conformance/http.js'
import { profileSettings } from '../conformance/quire-process.js'
import { setUp, type Tokens } from '../conformance/setup.js'
import { testDatabaseUri } from '../support/database.js'
import { readsByMode, type ReadsByMode } from '../support/reads-by-mode.js'
import { startApp, type TestApp } from '../support/start-app.js'

/** Two services on one database. One runs every read on its main thread, the other in its worker pool. */
export type InlineAndPooled = Readonly<{
  inline: TestApp
  pooled: TestApp
  databaseUri: string
  /** Accepted by both. */
  tokens: Tokens
  /** Sends a GET to both services at once. */
  compare: (call: HttpCall) => Promise<Comparison>
  /** Sends a write to the pooled service. Afterwards the other one has seen it. */
  write: (call: HttpCall) => Promise<PooledAnswer>
  stop: () => Promise<void>
}>

/** `pooledReads` counts the reads that the pooled service started in its pool. */
type PooledAnswer = Readonly<{ answer: HttpAnswer; pooledReads: number }>

type Comparison = PooledAnswer &
  Readonly<{
    /** Differences between the responses of the two services. */
    differences: readonly string[]
  }>

/** Starts both on an empty database, with the locales, roles and tokens of the conformance cases. */
export async function startInlineAndPooled(): Promise<InlineAndPooled> {
  const databaseUri = await testDatabaseUri()
  const start = (costThreshold: number): Promise<TestApp> =>
    startApp({
      databaseUri,
      environment: profileSettings.strict,
      settings: {
        'pool.costThreshold': costThreshold,
        // The purge keys of a response show what a worker has read for it.
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

/** Times and counters of requests differ even for equal responses. */
const isComparable = (header: string): boolean =>
  !['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'].includes(header)

const subtract = (now: ReadsByMode, before: ReadsByMode): ReadsByMode => ({
  inline: now.inline - before.inline,
  pool: now.pool - before.pool,
})

/** Changes by another service can stay unseen in these caches for up to a second. */
function clearCaches({ quire: { access, services } }: TestApp): void {
  versionsOf(services.db.client)?.raise()
  access.rolesChanged()
  access.userChanged()
}
