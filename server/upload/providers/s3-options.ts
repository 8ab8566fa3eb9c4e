import type { Settings } from '../../settings/settings.js'
import type { S3Credentials, S3Options } from './s3-client.js'

/** What the settings say of S3; undefined where they name no bucket. */
export function s3OptionsOf(
  settings: Settings,
  credentials: S3Credentials | undefined,
): S3Options | undefined {
  const bucket = settings['upload.s3.bucket']
  if (bucket === '') return undefined
  const endpoint = settings['upload.s3.endpoint']
  const publicUrl = settings['upload.s3.publicUrl'].replace(/\/+$/, '')
  return {
    bucket,
    region: settings['upload.s3.region'],
    ...(endpoint === '' ? {} : { endpoint }),
    forcePathStyle: settings['upload.s3.forcePathStyle'],
    prefix: settings['upload.s3.prefix'],
    ...(publicUrl === '' ? {} : { publicUrl }),
    timeoutMs: settings['upload.s3.timeoutMs'],
    attempts: settings['upload.s3.attempts'],
    credentials,
    sizeLimit: settings['upload.sizeLimit'],
  }
}
