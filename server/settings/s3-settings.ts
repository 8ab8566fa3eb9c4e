import { flag, line, webAddress, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for an S3 store. */
export const s3Settings = {
  'upload.s3.bucket': line(
    '',
    'The bucket of S3 for files; with `upload.provider=s3` new ones go there, without it those that are there are still served',
    'the name of a bucket, such as `my-media`',
    /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/,
  ),
  'upload.s3.region': line(
    'us-east-1',
    'The region of the bucket',
    'the name of a region, such as `eu-central-1`',
    /^[a-z0-9-]{1,64}$/i,
  ),
  'upload.s3.endpoint': line('', 'Address of a store other than AWS', ...webAddress),
  'upload.s3.forcePathStyle': flag(
    false,
    'Whether the bucket is named in the path and not in the host, as many stores other than AWS want it',
  ),
  'upload.s3.prefix': line(
    '',
    "What the keys begin with, this service's alone within the bucket",
    'folders that end with a slash, such as `media/`',
    /^(?=.{0,512}$)(?:(?!\.{1,2}\/)[\w.-]+\/)*$/,
  ),
  'upload.s3.publicUrl': line(
    '',
    'Address at which clients reach what is in the bucket, that of a CDN for example: `url` is below it; default: through this service',
    ...webAddress,
  ),
} satisfies Record<string, Setting>
