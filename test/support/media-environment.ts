import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { s3Credentials, s3Server } from './s3-server.js'

/**
 * Returns the environment for storing files with a provider. For S3, creates a bucket; returns undefined if there is no
 * S3 server.
 */
export async function mediaEnvironment(
  provider: StorageProvider['name'],
): Promise<Readonly<Record<string, string>> | undefined> {
  if (provider !== 's3') return { UPLOAD_PROVIDER: provider }
  const bucket = await (await s3Server())?.makeBucket()
  if (bucket === undefined) return undefined
  return {
    UPLOAD_PROVIDER: 's3',
    UPLOAD_S3_BUCKET: bucket.bucket,
    UPLOAD_S3_ENDPOINT: bucket.endpoint,
    UPLOAD_S3_PREFIX: bucket.prefix,
    UPLOAD_S3_FORCE_PATH_STYLE: 'true',
    UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  }
}
