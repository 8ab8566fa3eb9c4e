import { join, resolve } from 'node:path'
import { makeTempFolder, maxSocketPath } from '../temp-folder.js'
import type { EngineMemory } from './engine-messages.js'
import { makeFolder } from './make-folder.js'
import type { SuperviseOptions, SupervisedEngine } from './supervise.js'
import { superviseEngine } from './supervise.js'

/** The folder of the service's data, and what `superviseEngine` takes besides. */
export type EmbeddedHostOptions = Omit<SuperviseOptions, 'settings'> &
  Readonly<{ dataDir: string; memory?: EngineMemory | undefined }>

/** A supervised engine, and where it is. */
export type EmbeddedHost = SupervisedEngine & Readonly<{ uri: string; embedded: true }>

/** Starts the embedded engine on `dataDir` and keeps it running until it is stopped. */
export async function startEmbeddedHost(options: EmbeddedHostOptions): Promise<EmbeddedHost> {
  const dataDir = resolve(options.dataDir)
  const directory = join(dataDir, 'database')
  await makeFolder(dataDir)
    .then(() => makeFolder(directory, 0o700))
    .catch(({ message }: Error) => {
      throw new Error(
        `DATA_DIR cannot be used: ${message}. Set it to a folder that this user may write to.`,
      )
    })
  // The folder is 0700. The engine has no authentication: who reaches the socket
  // owns the data.
  const folder = await makeTempFolder()
  const socketPath = join(folder.path, 'db.sock')
  try {
    if (Buffer.byteLength(socketPath) > maxSocketPath) {
      throw new Error(
        `The path ${socketPath} is too long for a socket; set TMPDIR to a shorter one.`,
      )
    }
    const engine = await superviseEngine({
      settings: {
        directory,
        socketPath,
        cacheDirectory: join(dataDir, 'cache'),
        memory: options.memory,
      },
      log: options.log,
      askEveryMs: options.askEveryMs,
    })
    return Object.freeze({
      uri: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true&journal=true`,
      embedded: true,
      stop: async () => {
        await engine.stop()
        await folder.remove()
      },
    })
  } catch (error) {
    await folder.remove()
    throw error
  }
}
