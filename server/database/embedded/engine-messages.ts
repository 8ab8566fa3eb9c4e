import type { EngineFailureReason } from '../engine-start-error.js'
import type { Recovery } from './recovery.js'

/** The messages between the service and the engine's process. */

/** The only argument of the engine's process, as JSON. */
export type EngineSettings = Readonly<{
  /** The folder of the database's files. */
  directory: string
  socketPath: string
  /** Folder for a relinked copy of the engine if the project's folder is read-only. */
  cacheDirectory: string
  memory?: EngineMemory | undefined
}>

/** Memory limits of the engine in bytes. An absent limit keeps the engine's default. */
export type EngineMemory = Readonly<{
  /** Size of the cache for data from the files. The engine's default: 256 MB. */
  cacheSize?: number | undefined
  /** Maximum memory that one command uses for sorting. A larger sort uses the disk. The engine's default: 100 MB. */
  sortMemory?: number | undefined
}>

export type EngineReport =
  | Readonly<{ kind: 'recovering' }>
  | Readonly<{ kind: 'ready'; recovery: Recovery | null }>
  /** Reply to a ping. */
  | Readonly<{ kind: 'alive' }>
  | Readonly<{ kind: 'failed'; reason: EngineFailureReason; message: string }>

export type EngineOrder = Readonly<{ kind: 'stop' | 'ping' }>
