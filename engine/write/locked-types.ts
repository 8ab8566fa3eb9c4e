import { notDone } from '../errors.js'
import type { Registry } from '../schema/registry.js'

/** How long converting entries takes, in seconds, is not known; who asks again asks this often. */
const retryAfterS = 5

/** @throws 503 where the entries of a type are being converted (`quire schema apply`), which nobody writes meanwhile */
export function refuseLocked(locked: Registry['locked'], uid: string): void {
  if (locked?.has(uid) === true)
    throw notDone(
      `The entries of ${uid} are being converted, and are written when that is done`,
      retryAfterS,
    )
}
