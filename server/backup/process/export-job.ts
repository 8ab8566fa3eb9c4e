import type { S3Options } from '../../upload/providers/s3-client.js'
import type { StorageProvider } from '../../upload/storage-provider.js'
import type { ArchiveForm } from '../archive/compression.js'
import type { SelectionRequest } from '../selection.js'

/** First message of a service to an exporting process. The second, `read`, starts the reading. */
export type ExportJob = Readonly<{
  /** Address of the database; may contain a password. */
  uri: string
  form: ArchiveForm
  asked: SelectionRequest
  live: boolean
  /** Whether no other process uses the database and the service holds back writes during the export. */
  singleProcess: boolean
  /** Version of Quire. */
  quire: string
  hasTokenSalt: boolean
  /** Folder for temporary files. */
  folder: string
  chosen: StorageProvider['name']
  /** Folder of the local storage provider. */
  uploads: string
  s3: S3Options | undefined
}>

/**
 * A message of the exporting process. `reading`: sent every second. `read`: all documents are read. `done`: the archive
 * is complete. `no-room`: the disk is full. `refused`: its message is for the client.
 */
export type ExportMessage = Readonly<
  | { is: 'ready' | 'reading' | 'read' | 'done' | 'no-room' }
  | { is: 'refused' | 'error'; message: string }
>

/** File descriptor of the pipe for the archive. */
export const archivePipe = 4
