import type { EngineFailureReason } from '../engine-start-error.js'
import type { Recovery } from './recovery.js'

/** Messages between the service and the engine's process. */

/** The only argument of the engine's process, as JSON. */
export type EngineSettings = Readonly<{
  /** Folder of the database's files. */
  directory: string
  socketPath: string
  /** Folder for a relinked copy of the engine, used if the project's folder is read-only. */
  cacheDirectory: string
  memory?: EngineMemory | undefined
}>

/** In bytes. An absent limit keeps the engine's default. */
export type EngineMemory = Readonly<{
  /** Cache for data from the files; default 256 MB. */
  cacheSize?: number | undefined
  /** Memory for the sort of one command; default 100 MB. A larger sort uses the disk. */
  sortMemory?: number | undefined
}>

export type EngineReport =
  | Readonly<{ kind: 'recovering' }>
  | Readonly<{ kind: 'ready'; recovery: Recovery | null }>
  | Readonly<{ kind: 'alive' }>
  | Readonly<{ kind: 'failed'; reason: EngineFailureReason; message: string }>

export type EngineOrder = Readonly<{ kind: 'stop' | 'ping' }>
