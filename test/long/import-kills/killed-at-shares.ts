import { expect } from 'chai'
import type { ImportTarget } from '../../cli/import-strapi/killed-import.js'

/** Imports are killed after these shares of their commands. */
const shares = Array.from({ length: 10 }, (_, at) => (at + 1) / 11)

/**
 * Kills ten imports and repeats each. The results must be those of an uninterrupted import. Returns the stages in which
 * they were killed.
 */
export async function killAtEach(
  open: () => Promise<ImportTarget>,
): Promise<readonly (string | undefined)[]> {
  const whole = await open()
  const { sent } = await whole.finish()
  const expected = await whole.result()
  const stages: (string | undefined)[] = []
  for (const share of shares) {
    const cut = await open()
    expect(await cut.killAt(Math.round(sent * share)), `killed at ${share}`).to.be.true
    stages.push(await cut.stage())
    expect((await cut.finish()).code).to.equal(0)
    expect(await cut.result(), `killed at ${share}`).to.deep.equal(expected)
  }
  return stages
}

/** Like `killAtEach`, at given moments: a number of commands after a stage has begun. */
export async function killInEach(
  open: () => Promise<ImportTarget>,
  moments: readonly (readonly [stage: Parameters<ImportTarget['killIn']>[0], command: number])[],
): Promise<void> {
  const whole = await open()
  expect((await whole.finish()).code).to.equal(0)
  const expected = await whole.result()
  for (const [stage, command] of moments) {
    const moment = `killed in ${stage} at ${command}`
    const cut = await open()
    expect(await cut.killIn(stage, command), moment).to.be.true
    expect(await cut.stage()).to.equal(stage)
    expect((await cut.finish()).code).to.equal(0)
    expect(await cut.result(), moment).to.deep.equal(expected)
  }
}

/** Like `killAtEach`, but kills ten imports in a row into the same database. */
export async function killAgainAndAgain(open: () => Promise<ImportTarget>): Promise<void> {
  const whole = await open()
  const { sent } = await whole.finish()
  const cut = await open()
  for (const share of shares) await cut.killAt(Math.round(sent * share))
  expect((await cut.finish()).code).to.equal(0)
  expect(await cut.result()).to.deep.equal(await whole.result())
}
