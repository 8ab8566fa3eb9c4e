import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readFiles, writeFiles } from '../../server/configuration/configuration-files.js'
import { loadConfig } from '../../server/settings/config.js'
import { printJson, printReport } from '../print-json.js'
import type { Remote } from '../admin-client.js'
import { localSide } from './local-side.js'
import { remoteSide } from './remote-side.js'
import type { Side } from './side.js'
import { tellDifference } from './tell-difference.js'

export type ConfigOptions = Readonly<{
  /** Of the files; default: `CONFIG_DIR`. */
  dir?: string | undefined
  /** A running service; default: the database that it would use. */
  remote?: Remote | undefined
  json: boolean
}>

/** `quire config pull`: what is stored becomes files. */
export async function pull(options: ConfigOptions): Promise<void> {
  const { folder, side } = open(options)
  const files = await writeFiles(folder, await side.read())
  const shown = files.map((file) => path.relative(process.cwd(), file))
  printReport(options.json, { files: shown }, () => `Wrote ${shown.join(', ')}`)
}

/** `quire config diff`; answers whether files and what is stored say the same. */
export async function diff(
  options: ConfigOptions & Readonly<{ prune: boolean }>,
): Promise<boolean> {
  const { folder, side } = open(options)
  const difference = await side.compare(await readFiles(folder), options.prune)
  printReport(options.json, difference, tellDifference)
  return difference.changes.length === 0
}

/**
 * `quire config push`: what files say is stored, after the difference was shown; answers whether it was wanted.
 * @throws Error where there is nobody to ask and `yes` was not said
 */
export async function push(
  options: ConfigOptions & Readonly<{ prune: boolean; yes: boolean }>,
): Promise<boolean> {
  const { prune, yes, json } = options
  const { folder, side } = open(options)
  const given = await readFiles(folder)
  const difference = await side.compare(given, prune)
  if (!json) console.log(tellDifference(difference))
  const isWanted = difference.changes.length > 0 && (yes || (await confirm()))
  if (isWanted) await side.apply(given, prune, difference.digest)
  if (json) printJson({ ...difference, applied: isWanted })
  else if (isWanted) console.log('Applied.')
  return isWanted || difference.changes.length === 0
}

function open({ dir, remote }: ConfigOptions): Readonly<{ folder: string; side: Side }> {
  if (remote !== undefined) {
    const folder = path.resolve(dir ?? (process.env['CONFIG_DIR'] || 'config'))
    return { folder, side: remoteSide(remote) }
  }
  const config = loadConfig()
  return {
    folder: dir === undefined ? config.configDir : path.resolve(dir),
    side: localSide(config),
  }
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error('There is nobody to ask whether this is wanted: say so with --yes')
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asking.question('Apply this? [y/N] ')).trim())
  } finally {
    asking.close()
  }
}
