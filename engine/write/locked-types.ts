import { notDone } from '../errors.js'
import type { Registry } from '../schema/registry.js'

/** `Retry-After` in seconds. Arbitrary, because the duration of a conversion is unknown. */
const retryAfterS = 5

/** @throws 503 while the entries of the type are being converted (`quire schema apply`) */
export function refuseLocked(locked: Registry['locked'], uid: string): void {
  if (locked?.has(uid) === true)
    throw notDone(
      `The entries of ${uid} are being converted. Write to them after the conversion`,
      retryAfterS,
    )
}
