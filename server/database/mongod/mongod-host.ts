import { databaseInUse } from '../database-in-use.js'
import { startOwnHost, type OwnHostOptions } from '../own-host.js'
import type { Run } from '../start-child.js'
import { ownerName } from '../temp-folder.js'
import { spawnMongod } from './mongod-child.js'
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
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

/**
 * Range of ports below those that the system gives to outgoing connections, which could take the server's port during a
 * restart.
 */
const [leastPort, mostPort] = [20_000, 32_000]
const attempts = 200

/** Returns the previous port if it is still free, otherwise a random free one. */
async function findPort(files: MongodFiles): Promise<number> {
  const last = await lastPort(files)
  if (last !== undefined && (await isFree(last))) return last
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(leastPort, mostPort)
    if (await isFree(port)) return port
  }
  throw new Error(`No port of ${listenAddress} from ${leastPort} to ${mostPort} is free`)
}

async function lastPort({ config }: MongodFiles): Promise<number | undefined> {
  try {
    const { net } = JSON.parse(await readFile(config, 'utf8')) as { net?: { port?: unknown } }
    return typeof net?.port === 'number' ? net.port : undefined
  } catch {
    return undefined
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ host: listenAddress, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}

const stopWithinMs = 20_000

/**
 * Runs a managed MongoDB below `dataDir`: a replica set with one member, which only this machine can reach, and which
 * requires the password stored below `dataDir`. First stops a server whose Quire was killed. Throws an error with one
 * line that says what is wrong, and what to do.
 *
 * @param program path of a `mongod`
 */
export async function startMongodHost(program: string, options: OwnHostOptions) {
  const { log, memory } = options
  const marker = { engine: 'mongod', version: await mongodVersion(program) } as const
  const prepare = async (dataDir: string, ownFolder: string) => {
    const files = await makeMongodFolders(dataDir)
    const { directory } = files
    if (!(await waitUntilFree(files, log))) throw await databaseInUse(directory)
    const secrets = await readMongodSecrets(files)
    const port = await findPort(files)
    await writePrivately(files.config, mongodConfig({ files, port, memory }))
    const address = `${user}:${secrets.password}@${listenAddress}:${port}`
    return {
      uri: `mongodb://${address}/${database}?replicaSet=${setName}&authSource=admin`,
      kind: {
        name: 'The MongoDB',
        directory,
        retry: (start: () => Promise<Run>) => retryWhenFree(files, log, start),
        spawn: () => spawnMongod({ program, files, secrets, port, ownFolder, log }),
        stopWithinMs,
        advice: `Its log is ${files.log}.`,
      },
    }
  }
  return startOwnHost({ marker, socket: ownerName, prepare }, options)
}
