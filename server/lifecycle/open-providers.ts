import { join } from 'node:path'
import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { collectionOf } from '../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import type { Config } from '../settings/config.js'
import type { FileDocument } from '../upload/maintenance/file-documents.js'
import { findOtherStore } from '../upload/own-store.js'
import { checkS3 } from '../upload/providers/check-s3.js'
import { createProviders } from '../upload/providers/create-providers.js'
import { s3OptionsOf } from '../upload/providers/s3-options.js'
import { MarkerError, type Providers } from '../upload/storage-provider.js'
import type { Closing } from './closing.js'

type Parts = Readonly<{
  db: Db
  registry: Registry
  /** Whether no other process can run over this database. */
  alone: boolean
  log: Logger
  closing: Closing
}>

/**
 * Where files are kept, each looked at as far as that can be done before it is used. Throws where S3 cannot be, and
 * with `upload.onOtherFolder=refuse` where the folder is not the database's.
 */
export async function openProviders(
  { settings, s3Credentials, dataDir }: Config,
  { db, registry, alone, log, closing }: Parts,
): Promise<Providers> {
  const chosen = settings['upload.provider']
  const s3 = s3OptionsOf(settings, s3Credentials)
  if (chosen === 's3' && s3 !== undefined) await checkS3(s3, log)
  const providers = createProviders({ chosen, db, directory: join(dataDir, 'uploads'), s3 })
  for (const { name, close } of providers.all)
    if (close !== undefined) closing.add(`The files in ${name}`, close)

  const collection = collectionOf(typeOf(registry, builtIn.file), 'published')
  const files = db.collection<FileDocument>(collection)
  for (const store of providers.all) {
    const isChosen = store === providers.chosen
    const other = await findOtherStore({ db, files, store, isChosen, alone }).catch(messageOf)
    if (other === undefined) continue
    if (settings['upload.onOtherFolder'] === 'refuse') throw new Error(other)
    log.warn({ event: 'other-upload-folder' }, other)
  }
  return providers
}

function messageOf(error: unknown): string {
  if (error instanceof MarkerError) return error.message
  throw error
}
