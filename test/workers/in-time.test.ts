import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ApiError } from '../../engine/errors.js'
import { startBudget } from '../../engine/read/execute/budget.js'
import { inTime, stoppable } from '../../workers/in-time.js'

describe('timeout of a read', () => {
  const never = (): Promise<never> => new Promise(() => undefined)
  const untilStopped = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  for (const [name, begin] of [
    ['inTime', (budget) => inTime(budget, never)],
    ['stoppable', (budget) => stoppable(budget, undefined, untilStopped)],
  ] as const satisfies [string, (budget: ReturnType<typeof startBudget>) => Promise<never>][]) {
    it(`returns 503 after the timeout (${name})`, async () => {
      const error = await begin(startBudget(20)).catch((it: unknown) => it)
      expect(error).to.be.instanceOf(ApiError).and.include({
        status: 503,
        message: 'The query took longer than 20 ms (api.rest.queryTimeoutMs)',
      })
    })

    it(`does not expire while its clock stands still (${name})`, async () => {
      let now = 0
      const ended = begin(startBudget(20, () => now)).catch((it: unknown) => it)
      expect(await Promise.race([ended, sleep(100, 'goes on')])).to.equal('goes on')
      now = 20
      expect(await ended).to.be.instanceOf(ApiError)
    })
  }

  it('continues in another thread with the remaining time', () => {
    expect(startBudget(10_000, () => 5_000, 300).left()).to.equal(300)
  })
})
