import { randomInt } from 'node:crypto'
import fc from 'fast-check'

const multiplier = Number(process.env['RUNS'] ?? (process.env['CI'] === 'true' ? 1 : 0.2))
if (!(multiplier > 0)) throw new Error(`RUNS must be a number above 0: ${process.env['RUNS']}`)

/**
 * Returns how often to run a property: `inCI` multiplied by the variable `RUNS`. The default of `RUNS` is 1 in CI, and
 * 0.2 elsewhere. Also for expectations about totals, such as `expect(found).to.be.above(runs(20))`.
 */
export const runs = (inCI: number): number => Math.max(1, Math.round(inCI * multiplier))

/** Whether properties run at least as often as in CI. With fewer runs, statistical expectations may fail. */
export const isAsOftenAsInCI = multiplier >= 1

/** Seed of all properties that set none. Mocha's workers get it through the environment. */
export const seed = Number((process.env['SEED'] ??= String(randomInt(1_000_000))))

fc.configureGlobal({
  seed,
  numRuns: runs(100),
  // mocha shows only the message of an error, and not its cause.
  includeErrorInReport: true,
  // In CI, failures are not shrunk: this can exceed the test's time limit, which hides the failure. With the reported
  // seed and path, it can be repeated elsewhere.
  endOnFailure: process.env['CI'] === 'true',
})

export const mochaHooks = {
  /**
   * Multiplies time limits by `RUNS` if that is above 1, because they are chosen for CI. This does not apply to limits
   * that a test sets while it runs.
   */
  beforeEach(this: Mocha.Context): void {
    if (multiplier > 1) this.currentTest?.timeout(this.currentTest.timeout() * multiplier)
  },
}

export function mochaGlobalTeardown(): void {
  process.stdout.write(`SEED=${seed} repeats what was drawn\n`)
}
