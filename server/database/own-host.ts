import { join, resolve } from 'node:path'
import type { EngineMemory } from './embedded/engine-messages.js'
import { checkMarker, writeMarker, type EngineMarker } from './engine-marker.js'
import { makeDataFolder } from '../project/make-folder.js'
import type { ChildKind } from './start-child.js'
import { supervise, type Supervised, type SuperviseOptions } from './supervise.js'
import { makeTempFolder, maxSocketPath } from './temp-folder.js'

type OwnDatabase = Readonly<{
  marker: EngineMarker
  /** File name of the socket in this process's private folder. */
  socket: string
  /** Prepares the database's files. `folder`: this process's private folder. */
  prepare: (dataDir: string, folder: string) => Promise<Readonly<{ uri: string; kind: ChildKind }>>
}>

export type OwnHostOptions = SuperviseOptions &
  Readonly<{
    /** `DATA_DIR`. The embedded engine uses its subfolder `database`, a managed MongoDB `mongod`. */
    dataDir: string
    memory?: EngineMemory | undefined
    /**
     * Whether to check the marker of `DATA_DIR`, reject a folder of the other engine, and write the marker once the
     * database has started. Default: true. False for the target of a copy, which writes the marker only when complete.
     */
    claims?: boolean | undefined
  }>

/** Runs a database below `dataDir` until it is stopped. */
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
    // A failure is harmless for the embedded engine: a folder without a marker counts as its own.
    if (claims) await (embedded ? claim().catch(() => undefined) : claim())
    return Object.freeze({
      uri,
      embedded,
      singleProcess: true,
      claim,
      restarts: engine.restarts,
      stop,
    })
  } catch (error) {
    await stop()
    throw error
  }
}
