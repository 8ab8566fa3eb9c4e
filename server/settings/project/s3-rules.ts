import { ignored, same, to, type Rules } from './rule.js'

/** Whether a plugin's `provider` is Strapi's S3 provider, by its short name or package name. */
export const isS3 = (provider: unknown): boolean =>
  provider === 'aws-s3' || provider === '@strapi/provider-upload-aws-s3'

/** Rules for the upload plugin's `config`: `s3Options` as of version 4.12, and members directly below as before. */
export const s3Rules: Rules = {
  'config.providerOptions.baseUrl': to('upload.s3.publicUrl'),
  'config.providerOptions.rootPath': to('upload.s3.prefix', toPrefix),
  ...under('config.providerOptions.s3Options.'),
  ...under('config.providerOptions.'),
  'config.actionOptions': ignored,
}

function under(place: string): Rules {
  const keyId = to('UPLOAD_S3_ACCESS_KEY_ID')
  const secret = to('UPLOAD_S3_SECRET_ACCESS_KEY')
  return {
    [`${place}credentials.accessKeyId`]: keyId,
    [`${place}credentials.secretAccessKey`]: secret,
    [`${place}accessKeyId`]: keyId,
    [`${place}secretAccessKey`]: secret,
    [`${place}region`]: to('upload.s3.region'),
    [`${place}endpoint`]: to('upload.s3.endpoint', withScheme),
    [`${place}forcePathStyle`]: to('upload.s3.forcePathStyle'),
    [`${place}s3ForcePathStyle`]: to('upload.s3.forcePathStyle'),
    [`${place}params.Bucket`]: to('upload.s3.bucket'),
    // Objects have no access rights of their own in Quire; those of the bucket apply.
    [`${place}params.ACL`]: same('private'),
    [`${place}params.signedUrlExpires`]: ignored,
  }
}

/** Strapi reads `media` and `/media/` as the same folder. */
function toPrefix(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const folder = value.replace(/^\/+|\/+$/g, '')
  return folder === '' ? '' : `${folder}/`
}

/** Adds https to a bare host, as version 2 of the SDK did. */
function withScheme(value: unknown): unknown {
  return typeof value === 'string' && value !== '' && !value.includes('://')
    ? `https://${value}`
    : value
}
