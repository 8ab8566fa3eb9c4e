import { createHash } from 'node:crypto'
import { fail } from '../../engine/errors.js'

/** Counts one attempt; throws `rate-limit` with `Retry-After` when there were too many. */
export type RateLimit = (...parts: readonly string[]) => void

const windowMs = 60_000

type Window = { count: number; endsAt: number }

/**
 * At most `max` attempts a minute for the same parts: path, address and identifier (D27). Counted in this
 * process only. Beyond `maxKeys` the oldest minute is forgotten first.
 */
export function createRateLimit(
  max: number,
  { maxKeys = 50_000, now = Date.now }: Readonly<{ maxKeys?: number; now?: () => number }> = {},
): RateLimit {
  // In the order in which the minutes began, and so in which they end.
  const windows = new Map<string, Window>()

  const forgetEnded = (time: number): void => {
    for (const [key, window] of windows) {
      if (window.endsAt > time && windows.size < maxKeys) return
      windows.delete(key)
    }
  }

  return (...parts) => {
    const time = now()
    // What clients send may be long; the key is not.
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
    forgetEnded(time)
    const window = windows.get(key) ?? { count: 0, endsAt: time + windowMs }
    if (window.count === 0) windows.set(key, window)
    window.count += 1
    if (window.count <= max) return
    const seconds = Math.max(1, Math.ceil((window.endsAt - time) / 1000))
    throw fail('rate-limit', {}, {}, { 'Retry-After': String(seconds) })
  }
}
