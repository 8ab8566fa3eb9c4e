import { isObject } from '../../../engine/values/is-object.js'
import { isS3, s3Rules } from './s3-rules.js'
import { ignored, same, to, type Outcome, type Rules } from './rule.js'
import { toBytes, toNumber, toSeconds } from './units.js'

/** `config/api`. */
export const apiRules: Rules = {
  'rest.defaultLimit': to('api.rest.defaultLimit', toNumber),
  'rest.maxLimit': to('api.rest.maxLimit', toNumber),
  'rest.prefix': to('api.rest.prefix', toPath),
  'rest.withCount': same(true),
  'rest.strictParams': to('api.rest.unknownKeys', (value) =>
    typeof value === 'boolean' ? (value ? 'refuse' : 'ignore') : undefined,
  ),
  'responses.privateAttributes': to('api.responses.privateAttributes'),
  // Concerns only queries made by code.
  'documents.strictParams': ignored,
}

/** Strapi reads `v1` and `/v1/` as `/v1`. */
function toPath(value: unknown): unknown {
  return typeof value === 'string' ? `/${value.replace(/^\/|\/$/g, '')}` : value
}

/** `config/server`. */
export const serverRules: Rules = {
  host: to('HOST'),
  port: to('PORT', toNumber),
  url: (value) => (value === '' ? 'ignored' : [['http.publicUrl', value]]),
  proxy: trustedProxy,
  'http.serverOptions.requestTimeout': to('http.requestTimeoutMs', toNumber),
  'dirs.public': same('./public'),
  'cron.enabled': same(false),
  // Quire has no webhooks, admin interface or cookies of Strapi's kind.
  'webhooks.populateRelations': same(false),
  'app.keys': ignored,
  'admin.autoOpen': ignored,
  'transfer.remote.enabled': ignored,
  'logger.updates.enabled': ignored,
  'logger.startup.enabled': ignored,
}

/** Strapi trusts any proxy; Quire needs to know which one: the proxy in front of it. */
function trustedProxy(value: unknown): Outcome {
  const koa = isObject(value) && Object.keys(value).length === 1 ? value.koa : value
  if (typeof koa !== 'boolean') return undefined
  return koa ? [['http.trustProxy', '1']] : 'ignored'
}

/** `config/plugins`: rules for the plugins that Quire replaces. Others are reported as not running. */
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

/** Converts `{ interval: { min: 5 }, max: 5 }`, Strapi's default, to one attempt a minute. */
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
