import { randomInt } from 'node:crypto'
import fc from 'fast-check'

const multiplier = Number(process.env['RUNS'] ?? (process.env['CI'] === 'true' ? 1 : 0.2))
if (!(multiplier > 0)) throw new Error(`RUNS must be a number above 0: ${process.env['RUNS']}`)

/**
 * Returns how often to run a property. In CI, this is `inCI`. Elsewhere, it is a fifth of `inCI`. If `RUNS` is set, it
 * is `inCI` times `RUNS`. Write expectations about the total of all runs relative to this number:
 * `expect(found).to.be.above(runs(20))`.
 */
export const runs = (inCI: number): number => Math.max(1, Math.round(inCI * multiplier))

/** Whether properties run at least as often as in CI. With fewer runs, a statistical expectation may fail. */
export const isAsOftenAsInCI = multiplier >= 1

/** Seed of every property that sets no seed itself. Mocha's workers get it from the environment. */
export const seed = Number((process.env['SEED'] ??= String(randomInt(1_000_000))))

fc.configureGlobal({
  seed,
  numRuns: runs(100),
  // Put the cause into the message, because mocha only shows an error's message.
  includeErrorInReport: true,
  // Do not shrink counterexamples in CI. Shrinking can exceed the time limit of the test, and a timeout hides the
  // failure. The reported seed and path reproduce the counterexample on any machine.
  endOnFailure: process.env['CI'] === 'true',
})

export const mochaHooks = {
  /**
   * Multiplies time limits with `RUNS`, because they are chosen for CI. A limit that a test sets while it runs is not
   * multiplied.
   */
  beforeEach(this: Mocha.Context): void {
    if (multiplier > 1) this.currentTest?.timeout(this.currentTest.timeout() * multiplier)
  },
}

export function mochaGlobalTeardown(): void {
  process.stdout.write(`SEED=${seed} repeats what was drawn\n`)
}
