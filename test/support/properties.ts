import { randomInt } from 'node:crypto'
import fc from 'fast-check'

const multiplier = Number(process.env['RUNS'] ?? (process.env['CI'] === 'true' ? 1 : 0.2))
if (!(multiplier > 0)) throw new Error(`RUNS must be a number above 0: ${process.env['RUNS']}`)

/**
 * Returns the number of runs of a property: `inCI` in CI, a fifth of that elsewhere, and `inCI` times `RUNS` if that is
 * set. Expectations about all runs are shares of them: `expect(found).to.be.above(runs(20))`.
 */
export const runs = (inCI: number): number => Math.max(1, Math.round(inCI * multiplier))

/** Whether there are at least as many runs as in CI. With fewer, a statistical expectation may fail. */
export const isAsOftenAsInCI = multiplier >= 1

/** Seed of every property that sets none. Mocha's workers get it through the environment. */
export const seed = Number((process.env['SEED'] ??= String(randomInt(1_000_000))))

fc.configureGlobal({
  seed,
  numRuns: runs(100),
  // Mocha shows only the message of an error, not its cause.
  includeErrorInReport: true,
  // No shrinking in CI: it would exceed the time limit of the test, which hides the failure. The reported seed and path
  // reproduce the counterexample on any machine.
  endOnFailure: process.env['CI'] === 'true',
})

export const mochaHooks = {
  /** Time limits are for CI and grow with `RUNS`. A limit that a test sets while it runs does not grow. */
  beforeEach(this: Mocha.Context): void {
    if (multiplier > 1) this.currentTest?.timeout(this.currentTest.timeout() * multiplier)
  },
}

export function mochaGlobalTeardown(): void {
  process.stdout.write(`SEED=${seed} repeats what was drawn\n`)
}
