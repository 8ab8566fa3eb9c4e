import { LRUCache } from 'lru-cache'
import type { HashKey } from './api-tokens.js'

/** Keys whose hashes are kept, and for how long, in ms. */
const max = 1000
const ttl = 1000

/**
 * Hashes a key that is sent with request after request once a second: an HMAC costs 0.01 ms. What is
 * kept says nothing about who may do what, and the key's text is gone a second after it came.
 */
export function rememberHashes(hashKey: HashKey): HashKey {
  const hashes = new LRUCache({ max, ttl, ttlAutopurge: true, memoMethod: hashKey })
  return (accessKey) => hashes.memo(accessKey)
}
