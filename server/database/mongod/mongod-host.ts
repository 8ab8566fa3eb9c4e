import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { EngineMemory } from '../embedded/engine-messages.js'
import { wasKilled } from '../embedded/supervise.js'
import { checkMarker, writeMarker } from '../engine-marker.js'
import { databaseInUse } from '../database-in-use.js'
import { EngineStartError } from '../engine-start-error.js'
import { findObstacle, refusalOf } from '../find-obstacle.js'
import { makeDataFolder } from '../make-folder.js'
import { supervise } from '../supervise.js'
import { makeTempFolder, maxSocketPath, ownerName } from '../temp-folder.js'
import { findPort } from './find-port.js'
import { startMongodChild } from './mongod-child.js'
import { listenAddress, mongodConfig, setName } from './mongod-config.js'
import {
  makeMongodFolders,
  readMongodSecrets,
  writePrivately,
  type MongodFiles,
} from './mongod-files.js'
import { mongodVersion } from './mongod-version.js'
import { database, user } from './open-set.js'
import { retryWhenFree, waitUntilFree } from './wait-until-free.js'

export type MongodHostOptions = Readonly<{
  /** The path of a `mongod`. */
  program: string
  dataDir: string
  memory?: EngineMemory | undefined
  /** As of `startDatabaseHost`. */
  claims?: boolean | undefined
  log: Logger
  /** How often it is asked whether it lives, in ms; for tests. */
  askEveryMs?: number | undefined
  /** As of `startDatabaseHost`. */
  onDeath?: (() => void) | undefined
}>

/**
 * Starts a MongoDB server of its own on `mongod` below `dataDir`, a replica set of one on this machine's own address,
 * and keeps it running until it is stopped. Only who has the password in that folder gets in. A server whose Quire
 * was killed is ended first. Throws one line that says what is wrong and what to do.
 */
export async function startMongodHost(options: MongodHostOptions) {
  const dataDir = resolve(options.dataDir)
  const { program, log } = options
  const marker = { engine: 'mongod', version: await mongodVersion(program) } as const
  const claim = () => writeMarker(dataDir, marker)
  await makeDataFolder(dataDir)
  if (options.claims !== false) await checkMarker(dataDir, marker)
  const files = await makeMongodFolders(dataDir)
  const folder = await makeTempFolder(dataDir)
  try {
    const owner = join(folder.path, ownerName)
    if (process.platform !== 'win32' && Buffer.byteLength(owner) > maxSocketPath)
      throw new Error(`The path ${owner} is too long for a socket; set TMPDIR to a shorter one.`)
    if (!(await waitUntilFree(files, log))) throw await databaseInUse(files.directory)
    const secrets = await readMongodSecrets(files)
    const port = await findPort(files)
    await writePrivately(files.config, mongodConfig({ files, port, memory: options.memory }))
    const server = await supervise({
      directory: files.directory,
      start: retryWhenFree(files, log, async () => {
        const refusal = await refusalOf(files.directory)
        if (refusal !== undefined) throw new EngineStartError('refused', refusal)
        const start = performance.now()
        const child = await startMongodChild({
          program,
          files,
          secrets,
          port,
          ownFolder: folder.path,
          askEveryMs: options.askEveryMs,
          onFrozen: (enginePid) =>
            log.error(
              { enginePid },
              'The database engine is frozen; it is killed and started again',
            ),
        })
        const { pid: enginePid, version } = child
        const milliseconds = Math.round(performance.now() - start)
        log.info(
          { enginePid, milliseconds, version, port },
          `The database engine is ready: MongoDB ${version}, whose log is ${files.log}`,
        )
        return child
      }),
      explain: (failure) => explain(failure, files),
      causeOf: async (how) =>
        how.startsWith('killed by SIGKILL')
          ? undefined
          : (await findObstacle(files.directory))?.replace(/\.$/, ''),
      log,
      onDeath: options.onDeath,
    })
    if (options.claims !== false) await claim()
    const address = `${user}:${secrets.password}@${listenAddress}:${port}`
    return Object.freeze({
      uri: `mongodb://${address}/${database}?replicaSet=${setName}&authSource=admin`,
      embedded: false,
      alone: true,
      claim,
      restarts: server.restarts,
      stop: async () => {
        await server.stop()
        await folder.remove()
      },
    })
  } catch (error) {
    await folder.remove()
    throw error
  }
}

async function explain(
  { reason, message }: EngineStartError,
  { directory, log }: MongodFiles,
): Promise<string> {
  switch (reason) {
    case 'refused':
    case 'unsupported':
      return message
    case 'in-use':
      return (await databaseInUse(directory)).message
    case 'other': {
      const guess = message.includes('SIGKILL') ? wasKilled : `Its log is ${log}.`
      const advice = (await findObstacle(directory)) ?? guess
      return `The MongoDB in ${directory} does not start: ${message}. ${advice}`
    }
  }
}
