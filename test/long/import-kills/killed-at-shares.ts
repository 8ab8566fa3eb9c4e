import { expect } from 'chai'
import type { ImportTarget } from '../../cli/import-strapi/killed-import.js'

/** Shares of an import's commands after which the import is killed. */
const shares = Array.from({ length: 10 }, (_, at) => (at + 1) / 11)

/**
 * Kills ten imports and repeats each of them. The results must equal that of an uninterrupted import. Returns the
 * stages in which the imports were killed.
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

/** Like `killAtEach`, but kills each import at a given moment: a number of commands after a stage has begun. */
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

/** Like `killAtEach`, but all ten imports go into the same database, one after the other. */
export async function killAgainAndAgain(open: () => Promise<ImportTarget>): Promise<void> {
  const whole = await open()
  const { sent } = await whole.finish()
  const cut = await open()
  for (const share of shares) await cut.killAt(Math.round(sent * share))
  expect((await cut.finish()).code).to.equal(0)
  expect(await cut.result()).to.deep.equal(await whole.result())
}
