import { randomInt } from 'node:crypto'
import fc from 'fast-check'

const multiplier = Number(process.env['RUNS'] ?? (process.env['CI'] === 'true' ? 1 : 0.2))
if (!(multiplier > 0)) throw new Error(`RUNS must be a number above 0: ${process.env['RUNS']}`)

/**
 * How often something is tried: `inCI` times in CI, a fifth of that elsewhere, and `RUNS` times that where it is set.
 * What is expected of all tries together is a share of them: `expect(found).to.be.above(runs(20))`.
 */
export const runs = (inCI: number): number => Math.max(1, Math.round(inCI * multiplier))

/** Where there are fewer tries, what holds of most of them need not hold of these. */
export const isAsOftenAsInCI = multiplier >= 1

/** Of every property that has no seed of its own. Mocha's workers have that of the run, by their environment. */
export const seed = Number((process.env['SEED'] ??= String(randomInt(1_000_000))))

fc.configureGlobal({
  seed,
  numRuns: runs(100),
  // Mocha tells the message of an error alone, without its cause.
  includeErrorInReport: true,
  // A counterexample is only made smaller where somebody looks at it: in CI a test that does so runs into its time
  // limit, which hides the failure. The seed and path that are told give the same counterexample anywhere.
  endOnFailure: process.env['CI'] === 'true',
})

export const mochaHooks = {
  /** Time limits are those of CI. A test that is to have more time for more runs does not set its limit itself. */
  beforeEach(this: Mocha.Context): void {
    if (multiplier > 1) this.currentTest?.timeout(this.currentTest.timeout() * multiplier)
  },
}

export function mochaGlobalTeardown(): void {
  process.stdout.write(`SEED=${seed} repeats what was drawn\n`)
}
