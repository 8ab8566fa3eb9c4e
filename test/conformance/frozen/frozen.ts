/** Compares answers of fresh services with the frozen ones. Exit code 1: an answer differs, or the run failed. */
import { parseArgs } from 'node:util'
import type { Answers } from '../compare.js'
import { loadCases } from '../data.js'
import type { Profile } from '../options.js'
import { withQuire } from '../quire-process.js'
import { runCases } from '../run-cases.js'
import { readFrozen, writeFrozen } from './answer-file.js'
import { findChanges } from './find-changes.js'
import { freezeCase } from './freeze-case.js'
import { runBugReports } from './run-bug-reports.js'

const usage = `npm run frozen -- [options] [set …]
  --write  freeze the answers instead of comparing them
  set      strict, strapi (the conformance cases in that profile) or bug-reports; default: all`

const sets: Readonly<Record<string, () => Promise<Answers>>> = {
  strict: () => runProfile('strict'),
  strapi: () => runProfile('strapi'),
  'bug-reports': () => runBugReports(freezeCase),
}

async function runProfile(profile: Profile): Promise<Answers> {
  const { answers, seedFailures } = await withQuire(
    { profile, pool: false, log: undefined },
    (base) => runCases(base, loadCases(), freezeCase),
  )
  if (seedFailures.length > 0) throw new Error(`seed refused: ${seedFailures.join('\n')}`)
  return answers
}

function check(set: string, answers: Answers): number {
  const changes = findChanges(readFrozen(set), answers)
  for (const change of changes) console.log(change)
  console.log(`${set}: ${answers.size} answers, ${changes.length} differ`)
  return changes.length
}

function readOptions(): Readonly<{ write: boolean; names: readonly string[] }> {
  try {
    const options = { write: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const unknown = positionals.find((name) => !Object.hasOwn(sets, name))
    if (unknown !== undefined) throw new Error(`There is no set ${unknown}`)
    return { write: values.write, names: positionals.length > 0 ? positionals : Object.keys(sets) }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}

const { write, names } = readOptions()
try {
  let changed = 0
  for (const name of names) {
    const answers = await sets[name]!()
    if (write) console.log(`${name}: ${answers.size} answers, ${writeFrozen(name, answers)} bytes`)
    else changed += check(name, answers)
  }
  process.exitCode = changed > 0 ? 1 : 0
} catch (error) {
  console.error(`The run could not be completed: ${(error as Error).message}`)
  process.exitCode = 1
}
