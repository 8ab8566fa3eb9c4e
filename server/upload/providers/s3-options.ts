import type { Settings } from '../../settings/settings.js'
import type { S3Credentials, S3Options } from './s3-client.js'

/** Returns the options of the S3 provider; undefined if no bucket is configured. */
export function s3OptionsOf(
  settings: Settings,
  credentials: S3Credentials | undefined,
): S3Options | undefined {
  const bucket = settings['upload.s3.bucket']
  if (bucket === '') return undefined
  return {
    bucket,
    region: settings['upload.s3.region'],
    endpoint: settings['upload.s3.endpoint'] || undefined,
    forcePathStyle: settings['upload.s3.forcePathStyle'],
    prefix: settings['upload.s3.prefix'],
    publicUrl: settings['upload.s3.publicUrl'].replace(/\/+$/, '') || undefined,
    timeoutMs: settings['upload.s3.timeoutMs'],
    attempts: settings['upload.s3.attempts'],
    credentials,
    sizeLimit: settings['upload.sizeLimit'],
  }
}
