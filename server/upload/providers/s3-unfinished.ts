import type { ListMultipartUploadsCommandOutput, MultipartUpload } from '@aws-sdk/client-s3'
import { isStoredName } from '../file-name.js'
import { inS3, type S3 } from './s3-client.js'

type Place = Readonly<{ bucket: string; prefix: string; olderThanMs: number }>

/** Ends multipart uploads whose process was killed: nothing was written to them for so long. Answers how many. */
export async function removeAbandonedUploads(s3: S3, place: Place): Promise<number> {
  const { sdk, client } = s3
  const { bucket, prefix, olderThanMs } = place
  const until = Date.now() - olderThanMs
  let count = 0
  for await (const upload of unfinishedUploads(s3, bucket, prefix)) {
    const { Key, UploadId, Initiated = new Date(0) } = upload
    if (Key === undefined || UploadId === undefined || !isStoredName(Key.slice(prefix.length)))
      continue
    if (Initiated.getTime() > until) continue
    const named = { Bucket: bucket, Key, UploadId }
    if ((await lastPart(s3, named)) > until) continue
    // One that has ended meanwhile is not there any more.
    await inS3(() =>
      client.send(new sdk.AbortMultipartUploadCommand(named)).catch((error: unknown) => {
        if (!(error instanceof sdk.NoSuchUpload)) throw error
      }),
    )
    count += 1
  }
  return count
}

async function* unfinishedUploads(
  { sdk, client }: S3,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<MultipartUpload> {
  let marker: Marker | undefined = {}
  while (marker !== undefined) {
    const asked = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix, ...marker })
    const page: ListMultipartUploadsCommandOutput = await inS3(() => client.send(asked))
    yield* page.Uploads ?? []
    marker = markerAfter(page)
  }
}

type Marker = Readonly<{ KeyMarker?: string; UploadIdMarker?: string }>

function markerAfter(page: ListMultipartUploadsCommandOutput): Marker | undefined {
  const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
  if (IsTruncated !== true || KeyMarker === undefined) return undefined
  return { KeyMarker, ...(UploadIdMarker === undefined ? {} : { UploadIdMarker }) }
}

/** When the newest part was written, in ms since 1970; 0 where there is none. */
async function lastPart(
  { sdk, client }: S3,
  named: Readonly<{ Bucket: string; Key: string; UploadId: string }>,
): Promise<number> {
  let newest = 0
  let PartNumberMarker: string | undefined
  do {
    const asked = { ...named, ...(PartNumberMarker === undefined ? {} : { PartNumberMarker }) }
    const page = await inS3(() => client.send(new sdk.ListPartsCommand(asked)))
    for (const { LastModified } of page.Parts ?? [])
      newest = Math.max(newest, LastModified?.getTime() ?? 0)
    PartNumberMarker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined
  } while (PartNumberMarker !== undefined)
  return newest
}
