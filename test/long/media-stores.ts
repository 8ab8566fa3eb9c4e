import { join } from 'node:path'
import type { Db } from 'mongodb'
import { createGridfsProvider } from '../../server/upload/providers/gridfs.js'
import { createLocalProvider } from '../../server/upload/providers/local.js'
import { createS3Provider } from '../../server/upload/providers/s3.js'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { s3Credentials, s3Server } from '../support/s3-server.js'

/** What a service keeps its files in, and the environment that tells it so. */
export type MediaStore = Readonly<{
  provider: StorageProvider
  env: Readonly<Record<string, string>>
}>

/** Undefined where there is none to try: S3 without a server for it. */
export type OpenStore = (dataDir: string, db: Db) => Promise<MediaStore | undefined>

/** Every provider, for what is tried with each. */
export const mediaStores: Readonly<Record<StorageProvider['name'], OpenStore>> = {
  local: (dataDir) =>
    Promise.resolve({ provider: createLocalProvider(join(dataDir, 'uploads')), env: {} }),
  gridfs: (_dataDir, db) =>
    Promise.resolve({ provider: createGridfsProvider(db), env: { UPLOAD_PROVIDER: 'gridfs' } }),
  s3: openS3Store,
}

/** A bucket of its own on the real server. */
export async function openS3Store(): Promise<MediaStore | undefined> {
  const options = await (await s3Server())?.makeBucket()
  if (options === undefined) return undefined
  const { bucket, region, endpoint, prefix } = options
  return {
    provider: createS3Provider(options),
    env: {
      UPLOAD_PROVIDER: 's3',
      UPLOAD_S3_BUCKET: bucket,
      UPLOAD_S3_REGION: region,
      UPLOAD_S3_ENDPOINT: endpoint,
      UPLOAD_S3_PREFIX: prefix,
      UPLOAD_S3_FORCE_PATH_STYLE: 'true',
      UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
      UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    },
  }
}
