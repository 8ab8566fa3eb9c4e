import type { Logger } from 'pino'
import { nameOf, openS3, statusOf, type S3Options } from './s3-client.js'

/**
 * Throws if the bucket does not exist or is in another region. Only logs other failures, which may be temporary, or due
 * to credentials without permission to list.
 */
export async function checkS3(options: S3Options, log: Logger): Promise<void> {
  const { bucket, region, endpoint = 'AWS' } = options
  const place = `the bucket "${bucket}" (upload.s3.bucket) at ${endpoint}`
  const { client, close } = await openS3({ ...options, attempts: 1 })
  try {
    // A HEAD request returns no details of the error.
    await client.listObjectsV2({ Bucket: bucket, Prefix: options.prefix, MaxKeys: 1 })
  } catch (error) {
    const status = statusOf(error) ?? 500
    const name = nameOf(error)
    if (name === 'NoSuchBucket')
      throw new Error(`Cannot store files: ${place} does not exist`, { cause: error })
    if (status === 301)
      throw new Error(`Cannot store files: ${place} is not in ${region} (upload.s3.region)`, {
        cause: error,
      })
    if (status < 500) return log.error(`S3 refuses to list ${place}: ${name}`)
    log.error(`S3 does not respond for ${place}: ${name}. Uploads get 503 until it does`)
  } finally {
    close()
  }
}
