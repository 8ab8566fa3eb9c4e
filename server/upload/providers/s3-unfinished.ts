import type { ListMultipartUploadsCommandOutput, MultipartUpload } from '@aws-sdk/client-s3'
import { isGivenName } from '../file-name.js'
import type { S3 } from './s3-client.js'

type Place = Readonly<{ bucket: string; prefix: string; olderThanMs: number; removes: boolean }>

/** Aborts, or only counts, multipart uploads to which nothing was written for `olderThanMs`. */
export async function removeAbandonedUploads(s3: S3, place: Place): Promise<number> {
  const { sdk, client, request } = s3
  const { bucket, prefix, olderThanMs, removes } = place
  const until = Date.now() - olderThanMs
  let count = 0
  for await (const upload of unfinishedUploads(s3, bucket, prefix)) {
    const { Key, UploadId, Initiated = new Date(0) } = upload
    if (Key === undefined || UploadId === undefined || !isGivenName(Key.slice(prefix.length)))
      continue
    if (Initiated.getTime() > until) continue
    const named = { Bucket: bucket, Key, UploadId }
    if ((await lastPart(s3, named)) > until) continue
    count += 1
    if (!removes) continue
    // The upload may have ended meanwhile.
    await request((options) =>
      client.abortMultipartUpload(named, options).catch((error: unknown) => {
        if (!(error instanceof sdk.NoSuchUpload)) throw error
      }),
    )
  }
  return count
}

async function* unfinishedUploads(
  { client, request }: S3,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<MultipartUpload> {
  let KeyMarker: string | undefined
  let UploadIdMarker: string | undefined
  do {
    const input = { Bucket, Prefix, KeyMarker, UploadIdMarker }
    const page: ListMultipartUploadsCommandOutput = await request((options) =>
      client.listMultipartUploads(input, options),
    )
    yield* page.Uploads ?? []
    KeyMarker = page.IsTruncated === true ? page.NextKeyMarker : undefined
    UploadIdMarker = page.NextUploadIdMarker
  } while (KeyMarker !== undefined)
}

/** Returns when the newest part was written, in ms since 1970; 0 without parts. */
async function lastPart(
  { client, request }: S3,
  named: Readonly<{ Bucket: string; Key: string; UploadId: string }>,
): Promise<number> {
  let newest = 0
  let PartNumberMarker: string | undefined
  do {
    const input = { ...named, PartNumberMarker }
    const page = await request((options) => client.listParts(input, options))
    for (const { LastModified } of page.Parts ?? [])
      newest = Math.max(newest, LastModified?.getTime() ?? 0)
    PartNumberMarker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined
  } while (PartNumberMarker !== undefined)
  return newest
}
