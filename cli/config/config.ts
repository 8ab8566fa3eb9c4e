import path from 'node:path'
import { differenceOf } from '../../server/accounts/access-control.js'
import { readFiles, writeFiles } from '../../server/configuration/configuration-files.js'
import { loadConfig } from '../../server/settings/config.js'
import { ask, hasTerminal } from '../ask.js'
import { printJson, printReport } from '../print-json.js'
import { dataOf, jsonOf, openAdminFetch, type Remote, type AdminFetch } from '../admin-client.js'
import { serviceOf, type GivenService } from '../admin-service.js'
import type { QuireCommand } from '../quire-command.js'
import { localSide, type Side } from './local-side.js'
import type { Change } from '../../server/configuration/compare.js'
import type { Difference, Configuration } from '../../server/configuration/configuration.js'

type ConfigOptions = GivenService &
  Readonly<{
    /** The folder of the configuration files. Default: `CONFIG_DIR`. */
    dir?: string
    json: boolean
    prune?: boolean
    yes?: boolean
  }>

/** The commands of `quire config`. A command that returns false makes the process exit with code 1. */
export const configCommands = { pull, diff, push }

/** Writes the stored configuration into files. */
async function pull(options: ConfigOptions, command: QuireCommand): Promise<boolean> {
  const { folder, side } = await open(options, command)
  const files = await writeFiles(folder, await side.read())
  const shown = files.map((file) => path.relative(process.cwd(), file))
  printReport(options.json, { files: shown }, () => `Wrote ${shown.join(', ')}`)
  return true
}

/** Returns whether the files and the stored configuration are equal. */
async function diff(options: ConfigOptions, command: QuireCommand): Promise<boolean> {
  const { folder, side } = await open(options, command)
  const difference = await side.compare(await readFiles(folder), options.prune === true)
  printReport(options.json, difference, formatDifference)
  return difference.changes.length === 0
}

/**
 * Shows the difference, asks for confirmation, and stores the content of the files. Returns whether the files and the
 * stored configuration are equal now. Throws if there is no terminal to ask on, unless `yes` is set.
 */
async function push(options: ConfigOptions, command: QuireCommand): Promise<boolean> {
  const { prune = false, yes = false, json } = options
  const { folder, side } = await open(options, command)
  const given = await readFiles(folder)
  const difference = await side.compare(given, prune)
  if (!json) console.log(formatDifference(difference))
  const isWanted = difference.changes.length > 0 && (yes || (await confirm()))
  if (isWanted) await side.apply(given, prune, difference.digest)
  if (json) printJson({ ...difference, applied: isWanted })
  else if (isWanted) console.log('Applied.')
  return isWanted || difference.changes.length === 0
}

async function open(
  { dir, ...service }: ConfigOptions,
  command: QuireCommand,
): Promise<Readonly<{ folder: string; side: Side }>> {
  const remote = await serviceOf(command, service)
  if (remote !== undefined) {
    const folder = path.resolve(dir ?? (process.env.CONFIG_DIR || 'config'))
    return { folder, side: remoteSide(remote) }
  }
  const config = loadConfig()
  return {
    folder: dir === undefined ? config.configDir : path.resolve(dir),
    side: localSide(config),
  }
}

async function confirm(): Promise<boolean> {
  if (!hasTerminal())
    throw new Error(
      'There is no terminal to ask for confirmation. Use --yes to apply the changes without it.',
    )
  return /^y(es)?$/i.test(await ask('Apply this? [y/N] '))
}

const signs = { create: '+', change: '~', remove: '-' } as const

/**
 * Formats a line for each changed item, followed by lines for its changed members. A changed list has one line for each
 * added or removed action.
 */
function formatDifference({ changes, kept }: Difference): string {
  const lines = changes.flatMap((change) => [
    `${signs[change.kind]} ${change.subject} ${change.id}`,
    ...Object.entries(change.members).flatMap((member) => formatMember(change, member)),
  ])
  if (changes.some(({ subject, kind }) => subject === 'api-tokens' && kind === 'create'))
    lines.push(
      'A new API token has no usable key. An admin can generate a key, which is shown once.',
    )
  if (kept.length > 0)
    lines.push(`In no file, and kept (use --prune to remove them): ${kept.join(', ')}`)
  return changes.length === 0
    ? ['There are no differences.', ...lines].join('\n')
    : lines.join('\n')
}

function formatMember(
  { kind }: Change,
  [name, { from, to }]: readonly [string, Change['members'][string]],
): readonly string[] {
  if (!Array.isArray(to))
    return [
      `    ${name}: ${kind === 'create' ? '' : `${JSON.stringify(from)} → `}${JSON.stringify(to)}`,
    ]
  // In a configuration, every list contains actions.
  const before: readonly string[] = Array.isArray(from) ? from : []
  const { granted, revoked } = differenceOf(before, to as readonly string[])
  return [
    ...granted.map((action) => `    + ${action}`),
    ...revoked.map((action) => `    - ${action}`),
  ]
}

function remoteSide(remote: Remote): Side {
  let known: Promise<AdminFetch> | undefined
  const request = async <T>(search = '', init?: RequestInit): Promise<T> => {
    const send = await (known ??= openAdminFetch(remote))
    return dataOf<T>(await send(`/admin/configuration${search}`, init))
  }
  const put = (given: Configuration, options: Readonly<Record<string, string>>) =>
    request<Difference>(`?${new URLSearchParams(options).toString()}`, jsonOf('PUT', given))
  return {
    read: () => request<Configuration>(),
    compare: (given, prune) => put(given, { dryRun: 'true', prune: String(prune) }),
    apply: (given, prune, digest) => put(given, { digest, prune: String(prune) }),
  }
}
