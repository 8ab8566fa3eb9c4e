import { LRUCache } from 'lru-cache'
import type { HashKey } from './api-tokens.js'

const max = 1000
const ttl = 1000

/** Caches hashes, because an HMAC costs 0.01 ms and clients repeat their key. Drops each key after a second. */
export function rememberHashes(hashKey: HashKey): HashKey {
  const hashes = new LRUCache({ max, ttl, ttlAutopurge: true, memoMethod: hashKey })
  return (accessKey) => hashes.memo(accessKey)
}
