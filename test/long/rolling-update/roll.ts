import { setTimeout as sleep } from 'node:timers/promises'
import type { Replaced } from './instances.js'
import type { Site } from './site.js'
import type { Side } from './stories.js'

/**
 * Replaces all instances under load. Clients that need the definitions `to` start after the first replacement. Clients
 * that need `from` stop before the last one, or before the first one if instances adopt the newest definitions
 * (`servesOn` is false).
 */
export async function roll(
  { servesOn, instances, load, goBack }: Site,
  count: number,
  { from, to, isBack }: Readonly<{ from: Side; to: Side; isBack: boolean }>,
  restMs = 2000,
): Promise<readonly Replaced[]> {
  const times: Replaced[] = []
  if (!servesOn) await load.close(from)
  if (isBack) await goBack(to)
  for (let at = 0; at < count; at += 1) {
    if (at === count - 1) await load.close(from)
    times.push(await instances.replace(to))
    if (at === 0) load.open(to)
    await sleep(restMs)
  }
  return times
}
