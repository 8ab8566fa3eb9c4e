import type { Collection, Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import type { FileDocument } from '../../server/upload/maintenance/file-documents.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import type { UnsettledContents } from '../../server/upload/unsettled-contents.js'

/** What a command has before it. */
export type Media = Readonly<{
  db: Db
  registry: Registry
  files: Collection<FileDocument>
  providers: Providers
  contents: UnsettledContents
  /** Whether no other process can run over this database. */
  alone: boolean
}>
