import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Grant } from '../../../engine/schema/grant.js'
import type { Registry } from '../../../engine/schema/registry.js'
import type { HashKey, TokenDocument } from './api-tokens.js'
import { createBriefCache } from '../brief-cache.js'
import { compileTokenGrant } from './token-grants.js'

export type TokenCallers = ReturnType<typeof createTokenCallers>

type Dependencies = Readonly<{ db: Db; log: Logger; registry: () => Registry; hashKey: HashKey }>

/** Identifies callers by API token, and records each token's use at most once a minute. */
export function createTokenCallers({ db, log, registry, hashKey }: Dependencies) {
  const tokens = db.collection<TokenDocument>('_api_tokens')
  const cache = createBriefCache<string, TokenDocument>({
    load: async (hash) => (await tokens.findOne({ accessKey: hash })) ?? undefined,
  })
  const hashOf = rememberHashes(hashKey)
  const grantOf = rememberGrants()
  const noteUse = createUseNotes(db, log)

  return {
    /** Returns undefined if the key is unknown or its token has expired. */
    find: async (accessKey: string) => {
      const token = await cache.get(hashOf(accessKey))
      if (token === undefined) return undefined
      if (token.expiresAt !== null && token.expiresAt.getTime() <= Date.now()) return undefined
      noteUse(token)
      const { _id: id, name, type, owner } = token
      const grant = grantOf(token, registry())
      return { kind: 'token' as const, grant, token: { id, name, type, owner } }
    },
    changed: () => cache.forget(),
  }
}

const maxHashes = 1000
const hashTtlMs = 1000

/** Caches hashes, because an HMAC costs 0.01 ms and clients repeat their key. Drops each key after a second. */
export function rememberHashes(hashKey: HashKey): HashKey {
  const hashes = new LRUCache({
    max: maxHashes,
    ttl: hashTtlMs,
    ttlAutopurge: true,
    memoMethod: hashKey,
  })
  return (accessKey) => hashes.memo(accessKey)
}

type Compiled = { token: TokenDocument; registry: Registry; grant: Grant }

const maxGrants = 1000

/** Caches compiled grants: a token is read up to twice a second, but rarely changes. */
function rememberGrants(): (token: TokenDocument, registry: Registry) => Grant {
  const known = new LRUCache<number, Compiled>({ max: maxGrants })
  return (token, registry) => {
    const last = known.get(token._id)
    if (last?.registry === registry) {
      if (last.token !== token && !isAlike(last.token, token))
        last.grant = compileTokenGrant(token, registry)
      last.token = token
      return last.grant
    }
    const grant = compileTokenGrant(token, registry)
    known.set(token._id, { token, registry, grant })
    return grant
  }
}

const isAlike = (one: TokenDocument, other: TokenDocument): boolean =>
  one.type === other.type && isDeepStrictEqual(one.permissions, other.permissions)

const minuteMs = 60_000

function createUseNotes(db: Db, log: Logger): (token: TokenDocument) => void {
  const tokens = db.collection<TokenDocument>('_api_tokens')
  // Entries are never removed, because tokens are created by hand and so are few.
  const notedAt = new Map<number, number>()
  return ({ _id, lastUsedAt }) => {
    const now = Date.now()
    const last = Math.max(notedAt.get(_id) ?? 0, lastUsedAt?.getTime() ?? 0)
    if (now - last < minuteMs) return
    notedAt.set(_id, now)
    // Skip the write if another process has recorded the use.
    const stale = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: new Date(now - minuteMs) } }] }
    tokens
      .updateOne({ _id, ...stale }, { $set: { lastUsedAt: new Date(now) } })
      .catch((error: unknown) =>
        log.warn({ err: error }, 'The last use of an API token could not be stored'),
      )
  }
}
