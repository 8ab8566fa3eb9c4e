import type { S3Options } from '../../upload/providers/s3-client.js'
import type { StorageProvider } from '../../upload/storage-provider.js'
import type { ArchiveForm } from '../archive/compression.js'
import type { SelectionRequest } from '../selection.js'

/**
 * The first message that a service sends to an exporting process. The second message, `read`, makes the process start
 * to read.
 */
export type ExportJob = Readonly<{
  /** Address of the database; it may contain a password. */
  uri: string
  form: ArchiveForm
  asked: SelectionRequest
  live: boolean
  /** Whether no other process uses the database, and the service holds back writes while this process reads. */
  alone: boolean
  /** The version of Quire. */
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
 * A message that the exporting process sends. `ready`: connected to the database. `reading`: still reading (every
 * second). `read`: all documents have been read. `done`: the whole archive has been sent. The other messages say why
 * the export failed: `no-room` for a full disk, `refused` with a message for the client, `error` for any other error.
 */
export type ExportMessage = Readonly<
  | { is: 'ready' | 'reading' | 'read' | 'done' | 'no-room' }
  | { is: 'refused' | 'error'; message: string }
>

/** File descriptor of the pipe for the archive. */
export const archivePipe = 4
