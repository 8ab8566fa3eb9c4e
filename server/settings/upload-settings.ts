import { choice, flag, integer, list, type Setting, line, webAddress } from './setting-kinds.js'

/** Rows of `settingsTable` for an S3 store. */
const s3Settings = {
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

/** Rows of `settingsTable` for the media library. */
export const uploadSettings = {
  'upload.provider': choice(
    ['local', 'gridfs', 's3'],
    'local',
    'Where the content of new files is kept: in `DATA_DIR`, in the database, or in S3; what is elsewhere is served from there',
  ),
  'upload.onOtherFolder': choice(
    ['warn', 'refuse'],
    'warn',
    'What a start does whose folder of uploads is not the one that the files of the database are in: warns in the log, or refuses',
  ),
  ...s3Settings,
  'upload.sizeLimit': integer(209_715_200, 1, 'Largest uploaded file', 'bytes'),
  'upload.parallel': integer(
    8,
    1,
    'Uploads that are received and stored at a time; each has up to 10 MB in memory with S3',
  ),
  'upload.deniedTypes': list(
    [
      'image/svg+xml',
      'text/html',
      'application/xhtml+xml',
      'text/javascript',
      'text/vbscript',
      'text/x-python',
      'application/x-sh',
      'application/x-bat',
      'application/x-powershell',
      'application/x-httpd-php',
      'application/x-perl',
      'application/x-ruby',
    ],
    'MIME types that are refused: SVG, HTML and scripts',
    'a MIME type such as `image/png`',
    /^[\w.+-]+\/[\w.+-]+$/,
  ),
  'upload.enforceAllowedTypes': flag(
    true,
    'Whether writes refuse files of a type that is not in `allowedTypes` of the media attribute',
  ),
  'upload.private': flag(
    false,
    'Whether files are served to nobody but those who have a signed link, which answers carry in their `url`',
  ),
  'upload.linkExpiresInS': integer(
    900,
    1,
    'Life of a signed link in an answer, which lasts up to twice that; all of one window end together',
    's',
    31_536_000,
  ),
  'upload.optimize': flag(
    true,
    'Whether pictures are stored upright, re-encoded (quality 80) and without metadata; smaller versions always are',
  ),
  'upload.breakpoints': list(
    ['large=1000', 'medium=750', 'small=500'],
    'The smaller versions of pictures beside `thumbnail`, and the side of the square that they fit into, in pixels',
    'a name and pixels, such as `large=1000`',
    /^(?!(?:thumbnail|original)=|\S*_(?:webp|avif)=)[a-z][a-z0-9_-]{0,19}=[1-9]\d{0,4}$/,
  ),
  'upload.formats': list(
    [],
    'Formats in which each smaller version of a picture is kept as well (`thumbnail_webp`), and the picture itself where it has none (`original_webp`)',
    '`webp` or `avif`',
    /^(webp|avif)$/,
  ),
  'upload.variants': list(
    [],
    'Sizes of pictures that anybody may ask for, each written as the query string of the picture; any other needs a signature',
    'a size such as `width=400` or `width=600&height=400&fit=cover&format=webp`',
    /^[a-z]+=[a-z0-9]+(&[a-z]+=[a-z0-9]+)*$/,
  ),
  'upload.pictures.parallel': integer(
    1,
    1,
    'Processes that draw pictures, at most; of 12 megapixels each takes 60 to 160 MB',
  ),
  'upload.pictures.maxPixels': integer(
    100_000_000,
    1,
    'Pixels of a picture, of all its frames together; beyond it 400',
  ),
} satisfies Record<string, Setting>
