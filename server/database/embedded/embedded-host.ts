import { join, resolve } from 'node:path'
import { makeTempFolder, maxSocketPath } from '../temp-folder.js'
import { checkMarker, writeMarker } from '../engine-marker.js'
import { folderWaitMs } from '../folder-wait.js'
import type { EngineMemory } from './engine-messages.js'
import { knownBuild } from './native-engine.js'
import { socketName } from '../lock-holder.js'
import { makeDataFolder } from '../make-folder.js'
import type { Supervised } from '../supervise.js'
import type { SuperviseOptions } from './supervise.js'
import { superviseEngine } from './supervise.js'

/** The folder of the service's data, and what `superviseEngine` takes besides. */
export type EmbeddedHostOptions = Omit<SuperviseOptions, 'settings'> &
  Readonly<{ dataDir: string; memory?: EngineMemory | undefined; claims?: boolean | undefined }>

/** A supervised engine, and where it is. */
export type EmbeddedHost = Supervised &
  Readonly<{ uri: string; embedded: true; alone: true; claim: () => Promise<void> }>

const embeddedMarker = { engine: 'embedded', version: knownBuild.version } as const

/** Starts the embedded engine on `dataDir` and keeps it running until it is stopped. */
export async function startEmbeddedHost(options: EmbeddedHostOptions): Promise<EmbeddedHost> {
  const dataDir = resolve(options.dataDir)
  const directory = join(dataDir, 'database')
  const claim = () => writeMarker(dataDir, embeddedMarker)
  await makeDataFolder(dataDir)
  if (options.claims !== false) await checkMarker(dataDir, embeddedMarker)
  await makeDataFolder(directory, 0o700)
  // The folder is 0700. The engine has no authentication: who reaches the socket
  // owns the data.
  const folder = await makeTempFolder(dataDir)
  const socketPath = join(folder.path, socketName)
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
        folderWaitMs: folderWaitMs(),
      },
      log: options.log,
      onDeath: options.onDeath,
      askEveryMs: options.askEveryMs,
    })
    // Without it, a folder with a database is this engine's all the same.
    if (options.claims !== false) await claim().catch(() => undefined)
    return Object.freeze({
      uri: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true&journal=true`,
      embedded: true,
      alone: true,
      claim,
      restarts: engine.restarts,
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
