import { join, resolve } from 'node:path'
import type { EngineMemory } from './embedded/engine-messages.js'
import { checkMarker, writeMarker, type EngineMarker } from './engine-marker.js'
import { makeDataFolder } from '../project/make-folder.js'
import type { ChildKind } from './start-child.js'
import { supervise, type Supervised, type SuperviseOptions } from './supervise.js'
import { makeTempFolder, maxSocketPath } from './temp-folder.js'

/** A database below `DATA_DIR`. */
type OwnDatabase = Readonly<{
  marker: EngineMarker
  /** The name of the socket in the private folder of this process. */
  socket: string
  /** Prepares the files of the database. `folder` is the private folder of this process. */
  prepare: (dataDir: string, folder: string) => Promise<Readonly<{ uri: string; kind: ChildKind }>>
}>

export type OwnHostOptions = SuperviseOptions &
  Readonly<{
    /** `DATA_DIR`. The embedded engine keeps its files in the subfolder `database`, a managed MongoDB in `mongod`. */
    dataDir: string
    memory?: EngineMemory | undefined
    /**
     * Whether to reject a folder that belongs to the other engine, and to claim a new folder. A copy claims its target
     * when it is done.
     */
    claims?: boolean | undefined
  }>

/** Starts a database below `dataDir`, and keeps it running until it is stopped. */
export async function startOwnHost(
  { marker, socket, prepare }: OwnDatabase,
  options: OwnHostOptions,
) {
  const { claims = true } = options
  const dataDir = resolve(options.dataDir)
  const embedded = marker.engine === 'embedded'
  const claim = () => writeMarker(dataDir, marker)
  await makeDataFolder(dataDir)
  if (claims) await checkMarker(dataDir, marker)
  const folder = await makeTempFolder(dataDir)
  let engine: Supervised | undefined
  const stop = async (): Promise<void> => {
    await engine?.stop()
    await folder.remove()
  }
  try {
    const path = join(folder.path, socket)
    if (process.platform !== 'win32' && Buffer.byteLength(path) > maxSocketPath)
      throw new Error(`The path ${path} is too long for a socket. Set TMPDIR to a shorter path.`)
    const { uri, kind } = await prepare(dataDir, folder.path)
    engine = await supervise(kind, options)
    // For the embedded engine a missing marker is harmless: a folder with its database counts as its own anyway.
    if (claims) await (embedded ? claim().catch(() => undefined) : claim())
    return Object.freeze({ uri, embedded, alone: true, claim, restarts: engine.restarts, stop })
  } catch (error) {
    await stop()
    throw error
  }
}
