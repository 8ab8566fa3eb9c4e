import { scalarTypes } from '../../engine/values/scalar-type.js'
import { parseTrustedProxies } from './trust-proxy.js'
import { authSettings } from './auth-settings.js'
import { cacheSettings } from './cache-settings.js'
import type { Constants } from './constants.js'
import { documentationSettings } from './documentation-settings.js'
import { errorSettings } from './error-settings.js'
import { httpCacheSettings } from './http-cache-settings.js'
import { indexSettings } from './index-settings.js'
import { mailSettings } from './mail-settings.js'
import { metricsSettings } from './metrics-settings.js'
import { uploadSettings } from './upload-settings.js'
import {
  choice,
  flag,
  integer,
  line,
  list,
  map,
  trees,
  webAddress,
  type Setting,
} from './setting-kinds.js'

/** Each level also logs what the levels before it log; `silent` logs nothing. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/**
 * All settings (docs/internals/decisions.md, "Settings"), as shown in docs/settings.md. The variable of
 * `api.rest.maxLimit` is `API_REST_MAX_LIMIT`.
 */
export const settingsTable = {
  profile: choice(
    ['strict', 'strapi'],
    'strict',
    'Defaults of the other settings: those of this table (`strict`), or those of a Strapi without its strict flags (`strapi`)',
  ),
  'api.rest.prefix': line(
    '/api',
    'Path prefix of the API',
    'a path such as `/api` or `/cms/v1` that the service does not use itself',
    (text) =>
      /^(\/[\w.~-]+)+$/.test(text) &&
      !/^\/(_health|_ready|admin|content-type-builder|documentation|i18n|metrics|uploads|users-permissions)(\/|$)/i.test(
        text,
      ),
  ),
  'api.rest.defaultLimit': integer(25, 1, 'Page size of a list if the request names none'),
  'api.rest.maxLimit': integer(
    100,
    1,
    'Maximum page size of a list. A larger size is reduced to it',
  ),
  'api.rest.maxArrayLength': integer(
    1000,
    1,
    'Maximum number of members of an array in a query string',
    undefined,
    10_000,
  ),
  'api.rest.maxPopulateDepth': integer(
    10,
    1,
    'Maximum number of levels of `populate`',
    'levels',
    100,
  ),
  'api.rest.maxPopulateNodes': integer(
    500,
    1,
    'Maximum number of relations and media that one request populates',
  ),
  'api.rest.deepPopulate.default': integer(
    5,
    1,
    'Levels that `pLevel` and `populate=deep` show without a number, including the entry itself',
    'levels',
  ),
  'api.rest.deepPopulate.max': integer(
    10,
    1,
    'Maximum number of levels of `pLevel` and `populate=deep`, and the number that `populate=all` shows',
    'levels',
    100,
  ),
  'api.rest.deepPopulate.creators': flag(
    false,
    'Whether deep populate shows `createdBy` and `updatedBy` of content-types that have `populateCreatorFields`',
  ),
  'import.legacyIds': flag(
    false,
    'Whether GETs of an entry also accept the id that it had before an import (docs/coming-from-strapi-3.md)',
  ),
  'api.rest.maxPopulatedEntries': integer(
    10_000,
    1,
    'Maximum number of populated entries in one response',
  ),
  'api.rest.maxInlineReads': integer(
    16,
    1,
    'Maximum number of reads that run on the main thread at a time, and of writes. Larger reads get a quarter as many. Other requests wait',
  ),
  'api.rest.maxAnswerBytes': integer(
    16_777_216,
    1,
    'Maximum size of a response to a query, and of the body of a bulk request. A query can read four times as much from the database',
    'bytes',
  ),
  'api.rest.maxCost': integer(
    20_000_000,
    0,
    'Maximum estimated cost of a query, in units of 10 µs; 0 = no limit. `explain=true` shows the cost of a query',
  ),
  'api.rest.queryTimeoutMs': integer(
    10_000,
    1,
    'Maximum time of a read, including waits, except the wait for a new primary (15 s by default). After it, the response is 503. If the estimated time is longer, the response is 400, unless `api.rest.maxCost` is 0',
    'ms',
  ),
  'api.rest.writeTimeoutMs': integer(
    20_000,
    1,
    'Maximum time of a write, including waits in queues and for a database. After it, the response is 503',
    'ms',
  ),
  'api.rest.unknownKeys': choice(
    ['refuse', 'ignore'],
    'refuse',
    'Whether unknown query parameters and unknown keys in `pagination` are refused or ignored. The header `Quire-Ignored` lists those that were ignored. Unknown keys of bodies are always refused',
  ),
  'api.rest.wrapFilteredRelations': flag(
    true,
    'Whether a to-many relation that is populated with `filters` or `sort` is wrapped in `{ "data": [] }`. `false` gives a flat list, as in Strapi 5',
  ),
  'api.rest.generateUids': flag(
    true,
    'Whether a missing `uid` of a new entry is generated from its `targetField`',
  ),
  'api.rest.nestedPagination': flag(
    false,
    'Whether `populate[x][pagination]` limits a relation of each parent entry',
  ),
  'api.rest.localeFallback': flag(false, 'Default of the parameter `fallback`'),
  'api.rest.publicDrafts': flag(
    false,
    'Whether the permission `find` is enough to read drafts, as in Strapi',
  ),
  'api.rest.defaultPopulate': trees(
    'Value of `populate` for GETs that have none, by uid of the content-type, in any form of the parameter. It takes precedence over `options.defaultPopulate` of the definition',
  ),
  'api.responses.privateAttributes': list(
    [],
    'Names of attributes that no response contains, in all types and components. `options.privateAttributes` does the same for one',
    'the name of an attribute',
    /./s,
  ),
  'http.bodyLimit': integer(
    1_048_576,
    1,
    'Maximum size of a JSON body, or of all text fields of a form with files',
    'bytes',
  ),
  'http.maxBodyMemory': integer(
    268_435_456,
    65_536,
    'Maximum memory for all JSON bodies and forms until their responses are sent: 2 bytes for each byte received and 64 for each value or key. Beyond it, the response is 503. One address can take half of it, and waiting requests a quarter',
    'bytes',
  ),
  'http.maxHeaderSize': integer(
    131_072,
    8192,
    'Maximum size of the request line and the headers together',
    'bytes',
  ),
  'http.maxConnections': integer(
    10_000,
    0,
    'Maximum number of open connections; 0 = no limit. Beyond it, the response is 503. It is never more than half of the open files that the system allows (`ulimit -n`)',
  ),
  'http.maxUnsentBytes': integer(
    268_435_456,
    1,
    'Maximum size of all responses that clients have not received yet. Beyond it, the response is 503. An eighth is for small responses. A large one can take half of the remaining size of the rest',
    'bytes',
  ),
  'http.requestTimeoutMs': integer(
    30_000,
    1,
    'Maximum time to receive the head of a request, and then its body. For files it is 15 minutes, or the time that the largest file takes at 2 Mbit/s',
    'ms',
  ),
  'http.shutdownDelayMs': integer(
    0,
    0,
    'Time at shutdown in which new connections are still accepted while `/_ready` responds with 503, so that a load balancer can see it',
    'ms',
  ),
  'http.shutdownTimeoutMs': integer(
    10_000,
    0,
    'Maximum time at shutdown for requests in flight',
    'ms',
  ),
  'http.trustProxy': line(
    '',
    'Proxies whose `X-Forwarded-For` is trusted: `loopback`, addresses, or a number of hops',
    '`loopback`, `linklocal`, `uniquelocal`, addresses or networks, or a number of hops',
    (text) => parseTrustedProxies(text) !== undefined,
  ),
  'http.publicUrl': line(
    '',
    'Public address of the service, for links in mails; default: `localhost` and the port',
    ...webAddress,
  ),
  'http.serverTiming': flag(
    false,
    'Whether responses have a `Server-Timing` header with the duration of each stage, for all callers',
  ),
  'http.compression': flag(
    false,
    'Whether responses to reads are compressed (brotli, gzip) for clients that accept it. If a proxy compresses, leave it off',
  ),
  ...httpCacheSettings,
  ...cacheSettings,
  'http.rateLimit.max': integer(
    0,
    0,
    'Maximum number of requests per minute and address; 0 = no limit',
  ),
  'http.rateLimit.shared': flag(
    false,
    'Whether all instances on one database count requests together. It costs one database command per request',
  ),
  'cors.origins': list(
    ['*'],
    'Origins of the pages that may call the API with credentials; `*` = any origin, without credentials',
    '`*`, or an origin such as `https://example.org`',
    /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/]+)$/i,
  ),
  'log.level': choice(logLevels, 'info', 'Lowest level that is logged'),
  'log.format': choice(
    ['json', 'text'],
    'json',
    'Format of the log: a JSON object per line, or a short line for people without the other members, with colours on a terminal (`text`, which `quire dev` sets unless LOG_FORMAT is set)',
  ),
  'log.slowRequestMs': integer(
    1000,
    0,
    'Slower requests are logged with the duration of each stage. The time in which the client sends the request and receives the response, and the time for storing files, do not count; 0 = none are logged',
    'ms',
  ),
  ...documentationSettings,
  ...metricsSettings,
  ...errorSettings,
  ...authSettings,
  ...mailSettings,
  'database.mongod': line(
    '',
    'MongoDB that Quire runs itself, in `DATA_DIR`: the path of a `mongod`, or `auto` for the one on the `PATH`; empty = the embedded engine',
    '`auto`, or the path of a program such as `/usr/bin/mongod`',
    /^(auto)?$|[\\/]/,
  ),
  'database.download': flag(
    false,
    'Whether `database.mongod=auto` downloads MongoDB (SSPL licence) if there is none on the `PATH`',
  ),
  'database.downloadMirror': line(
    '',
    'Address to download MongoDB from, with the layout of `fastdl.mongodb.org`; empty = `fastdl.mongodb.org`',
    ...webAddress,
  ),
  'database.snapshotReads': flag(
    false,
    'Whether each read uses one snapshot for all its commands. It needs a replica set of MongoDB 5.0 or later',
  ),
  'database.exclusive': flag(
    false,
    'Whether this service is the only one on the database of `MONGODB_URI`, so that it can cache responses (`cache.answers`). Other Quire processes are refused while it runs',
  ),
  'database.cacheSize': integer(
    268_435_456,
    16_777_216,
    'Cache size of the database in `DATA_DIR`. A sort can take an eighth of it, and at least 16 MB',
    'bytes',
    Number.MAX_SAFE_INTEGER,
  ),
  'schema.onOlder': choice(
    ['serve', 'refuse', 'adopt'],
    'serve',
    'What a start does if the database has newer definitions: it serves the newer ones (`serve`), stops (`refuse`), or makes its own the newest again (`adopt`, for development only)',
  ),
  'schema.customFields': map(
    scalarTypes,
    'Types that custom fields are stored as, by name: `{"plugin::maps.place":"json"}`, in a variable also `plugin::maps.place=json`. They take precedence over types that Quire knows',
  ),
  'config.apply': choice(
    ['off', 'on', 'prune'],
    'off',
    'Whether a start applies the files in `CONFIG_DIR` to locales, roles and API tokens. `prune` also removes those that are in no file',
  ),
  ...indexSettings,
  'pool.threads': integer(1, 1, 'Number of worker threads for heavy queries', undefined, 64),
  'pool.queueLimit': integer(
    200,
    1,
    'Maximum number of heavy queries that wait for a thread. Beyond it, the response is 503. One address can take half of it if others wait',
  ),
  'pool.costThreshold': integer(
    1000,
    0,
    'Cost from which a query runs in a worker thread, in units of 10 µs. `explain=true` shows the cost of a query',
  ),
  'validation.requiredRelations': flag(true, 'Whether `required` applies to relations and media'),
  ...uploadSettings,
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settingsTable
/** Values by dotted name: `settings['api.rest.maxLimit']`. */
export type Settings = Constants & {
  readonly [K in SettingName]: (typeof settingsTable)[K]['default']
}
