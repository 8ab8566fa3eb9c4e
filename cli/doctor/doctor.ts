import { loadConfig, type Config } from '../../server/settings/config.js'
import { printReport } from '../print-json.js'
import {
  ok,
  type CheckName,
  type Finding,
  type Found,
  problem,
  warning,
  unknown,
} from './finding.js'
import { checkDatabase, checkStored } from './check-database.js'
import { existsSync, readFileSync } from 'node:fs'
import { tooFewDescriptors } from '../../server/database/descriptors.js'
import { tryDataFolder } from '../../server/database/try-data-folder.js'
import { tryListen } from '../../server/http/connections/listen.js'
import { isQuire } from '../is-quire.js'
import { join } from 'node:path'
import semver from 'semver'
import { messageOf } from '../../engine/errors/message-of.js'
import { isEngineInstalled } from '../../server/database/embedded/native-engine.js'
import { findLeftOut, remedyOf } from '../../server/lifecycle/left-out.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { definedTypes } from '../../engine/schema/registry.js'
import { countText } from '../../engine/values/count-text.js'
import { checkFolder } from '../check/check-project.js'
import { insecureSettings } from '../../server/settings/insecure-settings.js'

/** The checks that need a valid configuration, in the order of the report. */
const checks = {
  secrets: checkSecrets,
  definitions: checkDefinitions,
  'data folder': checkDataFolder,
  port: checkPort,
  database: checkDatabase,
  content: checkStored,
} satisfies Partial<Record<CheckName, (config: Config) => unknown>>

/** Runs `quire doctor`. Returns whether it is certain that the service would start. */
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
      const reason = messageOf(error)
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
    // Skip the content check, because it would only repeat the problems of the definitions.
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
    ({ check, state, says }) =>
      `${marks[state].padEnd(3)}${check.padEnd(12)} ${says.replaceAll('\n', `\n${' '.repeat(16)}`)}`,
  )
  return [...lines, '', verdictOf(findings, starts)].join('\n')
}

function verdictOf(findings: readonly Finding[], starts: boolean): string {
  if (findings.some(({ state }) => state === 'problem')) return 'It would not start.'
  if (!starts)
    return 'It is unknown whether it would start: checks marked X could not read what they need.'
  const hasPort = findings.every(({ check, state }) => check !== 'port' || state === 'ok')
  const after = hasPort ? '' : ' after the service on its port has stopped'
  const isKnown = findings.every(({ state }) => state !== 'unknown')
  return `It would start${after}${isKnown ? '' : ', unless a check marked ? would fail'}.`
}

/** Checks that the service could write to the data folder. Removes the folders that this check creates. */
async function checkDataFolder({ dataDir }: Config): Promise<Found> {
  const isThere = existsSync(dataDir)
  await tryDataFolder(dataDir)
  return ok(isThere ? dataDir : `${dataDir}, which the first start will create`)
}

async function checkPort({ port, host }: Config): Promise<Found> {
  const refusal = tooFewDescriptors()
  if (refusal !== undefined) return problem(refusal)
  try {
    await tryListen({ port, host })
    return ok(`${port} on ${host} is free.`)
  } catch (error) {
    if (await isQuire(port)) return warning(`A service already runs on port ${port}.`)
    throw error
  }
}

type Manifest = Readonly<{ version: string; engines: Readonly<{ node: string }> }>

function checkNode(): Found {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8')
  const { version, engines } = JSON.parse(text) as Manifest
  const message = `Quire ${version} on Node ${process.version}`
  return semver.satisfies(process.versions.node, engines.node)
    ? ok(message)
    : problem(`${message}: it needs ${engines.node}`)
}

/** Reports packages that npm did not install. */
function checkPackages(): Found {
  const leftOut = findLeftOut().flatMap((one) =>
    warning(`${one.name} is not completely installed. ${one.consequence} ${remedyOf(one)}`),
  )
  const engine = isEngineInstalled() ? 'with' : 'without'
  return leftOut.length > 0
    ? leftOut
    : ok(`All required packages are installed, ${engine} the embedded database.`)
}

/**
 * Returns the warnings about insecure settings that the service logs in production. Leaves out those about public
 * permissions, because permissions are stored in the database.
 */
function checkSecrets(config: Config): Found {
  const insecure = insecureSettings(config, [])
  if (insecure.length === 0) return ok('They are set.')
  if (config.production) return insecure.flatMap(warning)
  return ok(`With NODE_ENV=production, the service would warn:\n${insecure.join('\n')}`)
}

async function checkDefinitions(config: Config): Promise<Found> {
  const { schemaDir } = config
  if (schemaDir === undefined)
    return unknown(
      'SCHEMA_DIR is not set, so the service uses the definitions in the database, if there are any.',
    )
  const { served, adapted, problem: refusal } = await checkFolder(schemaDir, config)
  const warnings = adapted.flatMap(warning)
  if (refusal !== undefined) return [...problem(refusal), ...warnings]
  if (warnings.length > 0) return warnings
  const count = served === undefined ? 0 : definedTypes(served.registry).length
  return ok(`${countText(count, 'content-type')} in ${schemaDir}`)
}
