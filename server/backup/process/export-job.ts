import type { S3Options } from '../../upload/providers/s3-client.js'
import type { StorageProvider } from '../../upload/storage-provider.js'
import type { ArchiveForm } from '../archive/compression.js'
import type { SelectionRequest } from '../selection.js'

/** The first message to an exporting process. The second message (`read`) makes the process begin to read. */
export type ExportJob = Readonly<{
  /** Address of the database; it may contain a password. */
  uri: string
  form: ArchiveForm
  asked: SelectionRequest
  live: boolean
  /** Whether the service has exclusive use of the database, and holds writes. */
  alone: boolean
  /** The version of Quire. */
  quire: string
  hasTokenSalt: boolean
  /** A folder for temporary files. */
  folder: string
  chosen: StorageProvider['name']
  /** Folder of the local provider. */
  uploads: string
  s3: S3Options | undefined
}>

/**
 * A message of the process. `ready`: it is connected. `reading`: it is still reading (every second). `read`: it has
 * read all documents. `done`: it has sent the whole archive. All others state why it failed; the message of `refused`
 * is for the client.
 */
export type ExportWord = Readonly<
  | { is: 'ready' | 'reading' | 'read' | 'done' | 'no-room' }
  | { is: 'refused' | 'error'; message: string }
>

/** File descriptor of the pipe for the archive. */
export const archivePipe = 4
