import { LRUCache } from 'lru-cache'
import type { HashKey } from './api-tokens.js'

/** Maximum number of cached hashes, and their lifetime in ms. */
const max = 1000
const ttl = 1000

/**
 * Caches the hashes of keys for a second, because an HMAC costs 0.01 ms and clients send the same key repeatedly. The
 * cache contains no permissions, and drops each key after a second.
 */
export function rememberHashes(hashKey: HashKey): HashKey {
  const hashes = new LRUCache({ max, ttl, ttlAutopurge: true, memoMethod: hashKey })
  return (accessKey) => hashes.memo(accessKey)
}
