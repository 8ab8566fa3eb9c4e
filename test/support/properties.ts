import { randomInt } from 'node:crypto'
import fc from 'fast-check'

const multiplier = Number(process.env['RUNS'] ?? (process.env['CI'] === 'true' ? 1 : 0.2))
if (!(multiplier > 0)) throw new Error(`RUNS must be a number above 0: ${process.env['RUNS']}`)

/**
 * Returns how often to run a property: `inCI` multiplied by the variable `RUNS`, whose default is 1 in CI, 0.2
 * elsewhere. Also for expectations about totals: `expect(found).to.be.above(runs(20))`.
 */
export const runs = (inCI: number): number => Math.max(1, Math.round(inCI * multiplier))

/** With fewer runs than in CI, a statistical expectation may fail. */
export const isAsOftenAsInCI = multiplier >= 1

/** Seed of properties without their own. Mocha's workers get it from the environment. */
export const seed = Number((process.env['SEED'] ??= String(randomInt(1_000_000))))

fc.configureGlobal({
  seed,
  numRuns: runs(100),
  // mocha only shows an error's message.
  includeErrorInReport: true,
  // Shrinking can exceed the test's time limit, which hides the failure. Seed and path reproduce it elsewhere.
  endOnFailure: process.env['CI'] === 'true',
})

export const mochaHooks = {
  /** Time limits are chosen for CI, so they are multiplied with `RUNS`, unless a test sets them while it runs. */
  beforeEach(this: Mocha.Context): void {
    if (multiplier > 1) this.currentTest?.timeout(this.currentTest.timeout() * multiplier)
  },
}

export function mochaGlobalTeardown(): void {
  process.stdout.write(`SEED=${seed} repeats what was drawn\n`)
}
