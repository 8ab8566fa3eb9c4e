import { isObject } from '../../../engine/values/is-object.js'
import { ignored, same, to, type Outcome, type Rules } from './rule.js'
import { toBytes, toNumber, toSeconds } from './units.js'

const isS3 = (provider: unknown): boolean =>
  provider === 'aws-s3' || provider === '@strapi/provider-upload-aws-s3'

/**
 * Rules for the upload plugin with S3. The options are in `s3Options` since Strapi 4.12, earlier in `providerOptions`.
 */
const s3Rules: Rules = {
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
    // Quire sets no access rights for single objects; those of the bucket apply.
    [`${place}params.ACL`]: same('private'),
    [`${place}params.signedUrlExpires`]: ignored,
  }
}

/** Converts a folder to a key prefix. Like Strapi, treats `media` and `/media/` as the same. */
function toPrefix(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const folder = value.replace(/^\/+|\/+$/g, '')
  return folder === '' ? '' : `${folder}/`
}

/** Adds https to a bare host, as version 2 of AWS's SDK did. */
function withScheme(value: unknown): unknown {
  return typeof value === 'string' && value !== '' && !value.includes('://')
    ? `https://${value}`
    : value
}

/** Rules for the members of `config/api`. */
export const apiRules: Rules = {
  'rest.defaultLimit': to('api.rest.defaultLimit', toNumber),
  'rest.maxLimit': to('api.rest.maxLimit', toNumber),
  'rest.prefix': to('api.rest.prefix', toPath),
  'rest.withCount': same(true),
  'rest.strictParams': to('api.rest.unknownKeys', (value) =>
    typeof value === 'boolean' ? (value ? 'refuse' : 'ignore') : undefined,
  ),
  'responses.privateAttributes': to('api.responses.privateAttributes'),
  // This option only affects queries in a project's code.
  'documents.strictParams': ignored,
}

/** Converts a prefix to `/v1`. Like Strapi, accepts `v1` and `/v1/`. */
function toPath(value: unknown): unknown {
  return typeof value === 'string' ? `/${value.replace(/^\/|\/$/g, '')}` : value
}

/** Rules for the members of `config/server`. */
export const serverRules: Rules = {
  host: to('HOST'),
  port: to('PORT', toNumber),
  url: (value) => (value === '' ? 'ignored' : [['http.publicUrl', value]]),
  proxy: trustedProxy,
  'http.serverOptions.requestTimeout': to('http.requestTimeoutMs', toNumber),
  'dirs.public': same('./public'),
  'cron.enabled': same(false),
  // Quire has no webhooks, and no admin interface or cookies like Strapi's.
  'webhooks.populateRelations': same(false),
  'app.keys': ignored,
  'admin.autoOpen': ignored,
  'transfer.remote.enabled': ignored,
  'logger.updates.enabled': ignored,
  'logger.startup.enabled': ignored,
}

/** Trusts one proxy, in front of Quire. Strapi would trust any, but Quire needs a number. */
function trustedProxy(value: unknown): Outcome {
  const koa = isObject(value) && Object.keys(value).length === 1 ? value.koa : value
  if (typeof koa !== 'boolean') return undefined
  return koa ? [['http.trustProxy', '1']] : 'ignored'
}

/** Rules for `config/plugins`, for each plugin that Quire replaces. Others are reported as not running. */
export const pluginRules: Readonly<Record<string, Rules>> = {
  upload: {
    enabled: same(true),
    'config.sizeLimit': to('upload.sizeLimit', toBytes),
    'config.providerOptions.sizeLimit': to('upload.sizeLimit', toBytes),
    'config.security.deniedTypes': to('upload.deniedTypes'),
    'config.breakpoints': to('upload.breakpoints', (value) =>
      isObject(value) ? Object.entries(value).map((pair) => pair.join('=')) : undefined,
    ),
    'config.provider': (value) =>
      value === 'local' ? 'ignored' : isS3(value) ? [['upload.provider', 's3']] : undefined,
    ...s3Rules,
  },
  'users-permissions': {
    enabled: same(true),
    'config.jwt.expiresIn': to('auth.jwtExpiresInS', toSeconds),
    'config.jwtManagement': to('auth.mode', (mode) =>
      mode === 'legacy-support' ? 'legacy' : mode,
    ),
    'config.sessions.accessTokenLifespan': to('auth.sessions.accessExpiresInS', toNumber),
    'config.sessions.idleRefreshTokenLifespan': to('auth.sessions.idleExpiresInS', toNumber),
    'config.sessions.maxRefreshTokenLifespan': to('auth.sessions.maxExpiresInS', toNumber),
    'config.sessions.httpOnly': to('auth.sessions.httpOnly'),
    'config.register.allowedFields': same([]),
    'config.ratelimit': attemptsAMinute,
  },
  email: {
    enabled: same(true),
    'config.settings.defaultFrom': to('email.from'),
    'config.settings.defaultReplyTo': to('email.replyTo'),
  },
  i18n: { enabled: same(true) },
  'content-manager': { enabled: same(true) },
  'content-type-builder': { enabled: same(true) },
}

/** Converts a rate limit to attempts per minute. Strapi's default, `{ interval: { min: 5 }, max: 5 }`, becomes 1. */
function attemptsAMinute(value: unknown): Outcome {
  if (!isObject(value)) return undefined
  const { enabled = true, interval = { min: 5 }, max = 5, ...others } = value
  const minutes = isObject(interval)
    ? Object.entries(interval).reduce(
        (sum, [unit, n]) => sum + Number(n) * (inMinutes[unit] ?? NaN),
        0,
      )
    : Number(interval) / 60_000
  if (enabled !== true || Object.keys(others).length > 0) return undefined
  if (typeof max !== 'number' || !(minutes > 0)) return undefined
  return [['auth.rateLimit.max', Math.max(1, Math.ceil(max / minutes))]]
}

const inMinutes: Readonly<Record<string, number | undefined>> = {
  ms: 1 / 60_000,
  sec: 1 / 60,
  min: 1,
  hour: 60,
  day: 1440,
}
