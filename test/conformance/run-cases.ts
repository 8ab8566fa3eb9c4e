import type { Answers } from './compare.js'
import { loadSeed } from './data.js'
import { newNames, type Names } from './placeholders.js'
import type { Answer, Case } from './records.js'
import { seed } from './seed.js'
import { setUp, type Tokens } from './setup.js'

export type Run = Readonly<{ answers: Answers; seedFailures: readonly string[] }>

/** `runCase`, or a function that keeps more of each response. */
export type RunCase = (base: string, tokens: Tokens, names: Names, one: Case) => Promise<Answer>

/** Seeds the freshly started service at `base`, and runs the cases in their phases. */
export async function runCases(base: string, cases: readonly Case[], run: RunCase): Promise<Run> {
  const tokens = await setUp(base)
  const names = newNames()
  for (const [key, token] of Object.entries(tokens)) names.values[`TOKEN_${key}`] = token
  const answers = new Map<string, Answer>()
  // Later cases read data that earlier ones wrote.
  const runPhase = async (phase: Case['phase']): Promise<void> => {
    for (const one of cases)
      if (one.phase === phase) answers.set(one.id, await run(base, tokens, names, one))
  }
  await runPhase('pre')
  const seedFailures = await seed(base, tokens, loadSeed(), names)
  await runPhase('read')
  await runPhase('write')
  return { answers, seedFailures }
}
