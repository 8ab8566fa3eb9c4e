import { choice, flag, integer, list, type Setting, line, webAddress } from './setting-kinds.js'

/** Rows of `settingsTable` for an S3 store. */
const s3Settings = {
  'upload.s3.bucket': line(
    '',
    'S3 bucket for files. New files are stored there with `upload.provider=s3`; files that are already there are always served',
    'the name of a bucket, such as `my-media`',
    /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/,
  ),
  'upload.s3.region': line(
    'us-east-1',
    'The region of the bucket',
    'the name of a region, such as `eu-central-1`',
    /^[a-z0-9-]{1,64}$/i,
  ),
  'upload.s3.endpoint': line('', 'Address of an S3-compatible store other than AWS', ...webAddress),
  'upload.s3.forcePathStyle': flag(
    false,
    'Whether the bucket is in the path of addresses instead of the host name, as many stores other than AWS require',
  ),
  'upload.s3.prefix': line(
    '',
    'Prefix of all keys. No other service may use it in this bucket',
    'folders that end with a slash, such as `media/`',
    /^(?=.{0,512}$)(?:(?!\.{1,2}\/)[\w.-]+\/)*$/,
  ),
  'upload.s3.publicUrl': line(
    '',
    'Public address of the bucket, such as that of a CDN, for the `url` of files; default: this service serves them',
    ...webAddress,
  ),
} satisfies Record<string, Setting>

/** Rows of `settingsTable` for the media library. */
export const uploadSettings = {
  'upload.provider': choice(
    ['local', 'gridfs', 's3'],
    'local',
    'Where new files are stored: in `DATA_DIR` (`local`), in the database (`gridfs`), or in S3 (`s3`). Existing files are served from where they are',
  ),
  'upload.onOtherFolder': choice(
    ['warn', 'refuse'],
    'warn',
    'What a start does if the upload folder is not the one with the files of this database, for example because its volume is not mounted: it logs a warning (`warn`) or stops (`refuse`)',
  ),
  ...s3Settings,
  'upload.sizeLimit': integer(209_715_200, 1, 'Maximum size of an uploaded file', 'bytes'),
  'upload.parallel': integer(
    8,
    1,
    'Maximum number of uploads at a time. With S3, each takes up to 10 MB of memory',
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
    'Whether writes refuse files whose type is not in `allowedTypes` of the media attribute',
  ),
  'upload.private': flag(
    false,
    'Whether files are served only by signed links, which responses contain as `url`',
  ),
  'upload.linkExpiresInS': integer(
    900,
    1,
    'Minimum lifetime of a signed link in a response. A link can last up to twice as long, because all links of one time window end together',
    's',
    31_536_000,
  ),
  'upload.optimize': flag(
    true,
    'Whether uploaded pictures are rotated upright, re-encoded (quality 80) and stripped of metadata. Smaller versions always are',
  ),
  'upload.breakpoints': list(
    ['large=1000', 'medium=750', 'small=500'],
    'Smaller versions of pictures in addition to `thumbnail`: name, and the side of the square that they fit into, in pixels',
    'a name and pixels, such as `large=1000`',
    /^(?!(?:thumbnail|original)=|\S*_(?:webp|avif)=)[a-z][a-z0-9_-]{0,19}=[1-9]\d{0,4}$/,
  ),
  'upload.formats': list(
    [],
    'Additional formats of each smaller version of a picture (`thumbnail_webp`), or of the picture itself if it has none (`original_webp`)',
    '`webp` or `avif`',
    /^(webp|avif)$/,
  ),
  'upload.variants': list(
    [],
    'Sizes of pictures that anybody can request, each as the query string of the picture. Other sizes need a signature',
    'a size such as `width=400` or `width=600&height=400&fit=cover&format=webp`',
    /^[a-z]+=[a-z0-9]+(&[a-z]+=[a-z0-9]+)*$/,
  ),
  'upload.pictures.parallel': integer(
    1,
    1,
    'Maximum number of processes that resize pictures. Each takes 60 to 160 MB for a picture of 12 megapixels',
  ),
  'upload.pictures.maxPixels': integer(
    100_000_000,
    1,
    'Maximum number of pixels of a picture, in all its frames together. Beyond it, the response is 400',
  ),
} satisfies Record<string, Setting>
