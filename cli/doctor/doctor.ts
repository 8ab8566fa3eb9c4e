import { loadConfig, type Config } from '../../server/settings/config.js'
import { printReport } from '../print-json.js'
import { ok, type CheckName, type Finding, type Found } from './finding.js'
import { checkDatabase, checkStored } from './check-database.js'
import { checkDefinitions, checkSecrets } from './check-configuration.js'
import { checkNode, checkPackages } from './check-installation.js'
import { checkDataFolder, checkPort } from './check-machine.js'

/** The checks that need a valid configuration, in the order of the report. */
const checks = {
  secrets: checkSecrets,
  definitions: checkDefinitions,
  'data folder': checkDataFolder,
  port: checkPort,
  database: checkDatabase,
  content: checkStored,
} satisfies Partial<Record<CheckName, (config: Config) => unknown>>

/** Runs `quire doctor`. Returns whether a start is known to succeed. */
export async function doctor({ json }: Readonly<{ json: boolean }>): Promise<boolean> {
  const findings = await findAll()
  const starts = findings.every(({ state }) => state !== 'problem' && state !== 'failed')
  printReport(json, { starts, findings }, () => formatFindings(findings, starts))
  return starts
}

async function findAll(): Promise<readonly Finding[]> {
  const found: Finding[] = []
  const run = async (check: CheckName, work: () => Promise<Found> | Found): Promise<void> => {
    try {
      found.push(...(await work()).map((one) => ({ check, ...one })))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      found.push({ check, state: 'problem', says: reason })
    }
  }
  await run('node', checkNode)
  await run('packages', checkPackages)
  let config: Config | undefined
  await run('settings', () => {
    config = loadConfig()
    return ok('They are valid.')
  })
  if (config === undefined) return found
  const known = config
  for (const [check, work] of Object.entries(checks)) {
    // It would only repeat the problems of the definitions.
    if (check === 'content' && hasProblem(found, 'definitions')) continue
    await run(check as keyof typeof checks, () => work(known))
  }
  return found
}

const hasProblem = (found: readonly Finding[], check: CheckName): boolean =>
  found.some((finding) => finding.check === check && finding.state === 'problem')

const marks = { ok: 'ok', warning: '!', problem: 'X', failed: 'X', unknown: '?' } as const

function formatFindings(findings: readonly Finding[], starts: boolean): string {
  const lines = findings.map(
    // All lines of a finding are indented.
    ({ check, state, says }) =>
      `${marks[state].padEnd(3)}${check.padEnd(12)} ${says.replaceAll('\n', `\n${' '.repeat(16)}`)}`,
  )
  return [...lines, '', verdictOf(findings, starts)].join('\n')
}

function verdictOf(findings: readonly Finding[], starts: boolean): string {
  if (findings.some(({ state }) => state === 'problem')) return 'It would not start.'
  if (!starts) return 'It is not known whether it would start: what is marked X could not be read.'
  const hasPort = findings.every(({ check, state }) => check !== 'port' || state === 'ok')
  const after = hasPort ? '' : ' when the service on its port has stopped'
  const isKnown = findings.every(({ state }) => state !== 'unknown')
  return `It would start${after}${isKnown ? '' : ', if what is marked ? allows it'}.`
}
