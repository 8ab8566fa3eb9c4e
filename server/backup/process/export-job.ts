import type { S3Options } from '../../upload/providers/s3-client.js'
import type { StorageProvider } from '../../upload/storage-provider.js'
import type { ArchiveForm } from '../archive/compression.js'
import type { Asked } from '../selection.js'

/** What a process that exports is given first; a second message lets it begin to read. */
export type ExportJob = Readonly<{
  /** Of the database; it may hold a password. */
  uri: string
  form: ArchiveForm
  asked: Asked
  live: boolean
  /** Whether the service has the database for itself, and lets writes wait. */
  alone: boolean
  /** The version of this Quire. */
  quire: string
  hasTokenSalt: boolean
  /** A folder of its own, for what is kept for a while. */
  folder: string
  chosen: StorageProvider['name']
  /** Of the local provider. */
  uploads: string
  s3: S3Options | undefined
}>

/**
 * What it says: that it is connected; that it goes on reading, every second; that it has read all documents; that all
 * of the archive was sent; or why it could not go on (`refused`: a sentence for whoever asked).
 */
export type ExportWord = Readonly<
  | { is: 'ready' | 'reading' | 'read' | 'done' | 'no-room' }
  | { is: 'refused' | 'error'; message: string }
>

/** The number of the pipe on which the archive is sent. */
export const archivePipe = 4
