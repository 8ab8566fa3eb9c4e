import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EngineStartError } from '../engine-start-error.js'

const execute = promisify(execFile)
const timeout = 20_000

/** Oldest major version that is known to work. */
const leastMajor = 6

/** Returns, for example, `6.0.5`. Throws an `EngineStartError` if the program cannot be used. */
export async function mongodVersion(program: string): Promise<string> {
  const { stdout } = await execute(program, ['--version'], { timeout }).catch(
    ({ message }: Error) => {
      const reason = message.split('\n')[0] ?? ''
      throw unsupported(`${program} does not run (${reason}). ${nameAnother}`)
    },
  )
  const version = /^\s*db version v(\d+\.\d+\.\d+\S*)/m.exec(stdout)?.[1]
  if (version === undefined)
    throw unsupported(`${program} is not a mongod: it does not print its version. ${nameAnother}`)
  if (majorOf(version) < leastMajor)
    throw unsupported(
      `${program} is MongoDB ${version}, but Quire can run only ${leastMajor}.0 or later.`,
    )
  return version
}

const unsupported = (message: string): EngineStartError =>
  new EngineStartError('unsupported', message)

const nameAnother = 'Set database.mongod to the path of a mongod, or to auto.'

/** Returns 6 for `6.0.5`. */
export const majorOf = (version: string): number => Number(version.split('.')[0])

/**
 * Returns why MongoDB `version` cannot open files last used by version `last`; undefined if it can. A release older
 * than `last` never can; a newer one can only if no release in between was skipped.
 */
export function versionObstacle(version: string, last: string): string | undefined {
  const [here, before] = [majorOf(version), majorOf(last)]
  if (here < before)
    return `was last opened by MongoDB ${last}, and the older version ${version} cannot open it. Use ${before}.0 or later.`
  if (here > before + 1)
    return `was last opened by MongoDB ${last}, but ${version} can open only files of ${here - 1}.0. Start it once with each release in between.`
  return undefined
}
