import type { EngineFailureReason } from '../engine-start-error.js'
import type { Recovery } from './recovery.js'

/** What crosses between the service and its engine process: everything there is. */

/** The engine process's only argument, as JSON. */
export type EngineSettings = Readonly<{
  /** The folder of the database's files. */
  directory: string
  socketPath: string
  /** Where a relinked copy of the engine may be kept if the project's folder is read-only. */
  cacheDirectory: string
  memory?: EngineMemory | undefined
}>

/** Bytes; default: the engine's own. */
export type EngineMemory = Readonly<{
  /** For what was read from the files. The engine's own: 256 MB. */
  cacheSize?: number | undefined
  /** For what one command sorts, beyond which it uses the disk. The engine's own: 100 MB. */
  sortMemory?: number | undefined
}>

export type EngineReport =
  | Readonly<{ kind: 'recovering' }>
  | Readonly<{ kind: 'ready'; recovery: Recovery | null }>
  /** The answer to a ping. */
  | Readonly<{ kind: 'alive' }>
  | Readonly<{ kind: 'failed'; reason: EngineFailureReason; message: string }>

export type EngineOrder = Readonly<{ kind: 'stop' | 'ping' }>
