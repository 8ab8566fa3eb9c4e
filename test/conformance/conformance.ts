/**
 * Compares a fresh Quire with recorded answers of Strapi. Exit code 1: a seed request failed, or the share of equal
 * answers is below the recorded one.
 */
import { writeFileSync } from 'node:fs'
import { compare, isEqual } from './compare.js'
import { formatAnswers, loadAnswers, loadCases } from './data.js'
import { loadExpectation } from './expectation.js'
import { parseOptions, usage, type Options, type Profile } from './options.js'
import { withQuire } from './quire-process.js'
import {
  compareShares,
  formatShare,
  readRecordedShare,
  writeRecordedShare,
  type Share,
} from './recorded-share.js'
import { formatReport } from './report.js'
import { runCase } from './run-case.js'
import { runCases, type Run } from './run-cases.js'

async function main(options: Options): Promise<boolean> {
  const { answers, seedFailures } = options.answers
    ? { answers: loadAnswers(options.answers), seedFailures: [] }
    : await runAgainstFreshQuire(options)
  if (options.out) writeFileSync(options.out, formatAnswers(answers))

  const verdicts = compare(loadExpectation(options.profile), answers, (answer) =>
    isSelected(options, answer),
  )
  console.log(formatReport(verdicts, options))
  for (const failure of seedFailures) console.log(`seed refused: ${failure}`)

  const share = { equal: verdicts.filter(isEqual).length, cases: verdicts.length }
  const isWhole = options.areas.length === 0 && options.only === ''
  const held = isWhole ? judge(share, options.profile, options.record && !options.answers) : true
  return held && seedFailures.length === 0
}

const isSelected = (
  { areas, only }: Options,
  { id, area }: Readonly<{ id: string; area: string }>,
) => (areas.length === 0 || areas.includes(area)) && id.startsWith(only)

function runAgainstFreshQuire(options: Options): Promise<Run> {
  const cases = loadCases().filter((one) => isSelected(options, one))
  return withQuire(options, (base) => runCases(base, cases, runCase))
}

function judge(share: Share, profile: Profile, record: boolean): boolean {
  const recorded = readRecordedShare(profile)
  const change = compareShares(share, recorded)
  console.log(`equal: ${formatShare(share)}; recorded: ${formatShare(recorded)}`)
  if (change < 0) console.log('The share fell below the recorded one.')
  if (change > 0 && record) {
    writeRecordedShare(profile, share)
    console.log(`Recorded ${JSON.stringify(share)}.`)
  } else if (change > 0) {
    console.log(`The share rose: record ${JSON.stringify(share)} (--record writes it).`)
  }
  return change >= 0
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}

try {
  process.exitCode = (await main(readOptions())) ? 0 : 1
} catch (error) {
  console.error(`The run could not be completed: ${(error as Error).message}`)
  process.exitCode = 1
}
