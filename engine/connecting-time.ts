const step = 1 / 64
const share = Math.floor(Math.random() * 64) / 4096

let last = 0

/**
 * When what a write connects was connected, in milliseconds, with a fraction that makes it later than
 * that of every earlier write of this process and most likely unlike that of any other process: of two
 * owners that take one target from each other, the later one has it. A double tells 4096 parts of a
 * millisecond apart.
 */
export function connectingTime(now: number): number {
  last = Math.max(now + share, last + step)
  return last
}
