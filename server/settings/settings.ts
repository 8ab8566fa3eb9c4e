import { scalarTypes } from '../../engine/values/scalar-type.js'
import { parseTrustedProxies } from '../http/request/trust-proxy.js'
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

/** Log levels. Each level includes the levels before it. `silent` logs nothing. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/**
 * All settings: name, type, unit, default and meaning (docs/decisions.md, "Settings"). docs/settings.md shows this
 * table, and `server/settings/config.ts` reads the values. A setting has a dotted name, given only here. Its
 * environment variable is that name in upper case with underscores: `api.rest.maxLimit`, `API_REST_MAX_LIMIT`.
 */
export const settingsTable = {
  profile: choice(
    ['strict', 'strapi'],
    'strict',
    'Whose defaults other settings have: those of this table, or those of a Strapi without its strict flags',
  ),
  'api.rest.prefix': line(
    '/api',
    'Path below which the API is',
    'a path such as `/api` or `/cms/v1`, which is none of the service besides',
    (text) =>
      /^(\/[\w.~-]+)+$/.test(text) &&
      !/^\/(_health|_ready|admin|content-type-builder|documentation|i18n|metrics|uploads|users-permissions)(\/|$)/i.test(
        text,
      ),
  ),
  'api.rest.defaultLimit': integer(25, 1, 'Entries of a list that names no size'),
  'api.rest.maxLimit': integer(100, 1, 'Most entries of a list; a larger size is clamped to it'),
  'api.rest.maxArrayLength': integer(
    1000,
    1,
    'Most members of an array in a query string',
    undefined,
    10_000,
  ),
  'api.rest.maxPopulateDepth': integer(10, 1, 'Most levels of `populate`', 'levels', 100),
  'api.rest.maxPopulateNodes': integer(
    500,
    1,
    'Most relations and media that one request populates',
  ),
  'api.rest.deepPopulate.default': integer(
    5,
    1,
    'Levels of `pLevel` and `populate=deep` without a number, the entry itself among them',
    'levels',
  ),
  'api.rest.deepPopulate.max': integer(
    10,
    1,
    'Most levels of `pLevel` and `populate=deep`, and those of `populate=all`',
    'levels',
    100,
  ),
  'api.rest.deepPopulate.creators': flag(
    false,
    'Whether deep populate shows `createdBy` and `updatedBy`, of content-types with `populateCreatorFields`',
  ),
  'import.legacyIds': flag(
    false,
    'Whether GETs of an entry find it by the id that it had before an import, too (docs/coming-from-strapi-3.md)',
  ),
  'api.rest.maxPopulatedEntries': integer(10_000, 1, 'Most populated entries in one answer'),
  'api.rest.maxInlineReads': integer(
    16,
    1,
    'Reads that run on the main thread at a time, and writes; a quarter of it of larger reads; others wait',
  ),
  'api.rest.maxAnswerBytes': integer(
    16_777_216,
    1,
    'Largest answer of a query, which may read four times as much from the database, and largest body of a bulk',
    'bytes',
  ),
  'api.rest.maxCost': integer(
    20_000_000,
    0,
    'Most that a query may cost by estimate, in units of 10 µs; 0 = any. `explain=true` tells that of a query',
  ),
  'api.rest.queryTimeoutMs': integer(
    10_000,
    1,
    'Longest that a read may take, waits included, except the wait for a new primary (15 s by default); then 503. A query that takes longer by estimate is a 400, unless `api.rest.maxCost` is 0',
    'ms',
  ),
  'api.rest.writeTimeoutMs': integer(
    20_000,
    1,
    'Longest that a write may take, its queue and the search for a database included; beyond it 503',
    'ms',
  ),
  'api.rest.unknownKeys': choice(
    ['refuse', 'ignore'],
    'refuse',
    'What happens to unknown query parameters and to unknown keys in `pagination`. What is ignored is named in the header `Quire-Ignored`. Unknown keys of bodies are always refused',
  ),
  'api.rest.wrapFilteredRelations': flag(
    true,
    'Whether a to-many relation that is populated with `filters` or `sort` is `{ "data": [] }`; `false` gives a flat list, as in Strapi 5',
  ),
  'api.rest.generateUids': flag(
    true,
    'Whether a `uid` with a `targetField` that a new entry leaves out is made of that attribute',
  ),
  'api.rest.nestedPagination': flag(
    false,
    'Whether `populate[x][pagination]` bounds a relation per parent',
  ),
  'api.rest.localeFallback': flag(
    false,
    'Whether `fallback` is true in requests that do not name it',
  ),
  'api.rest.publicDrafts': flag(false, 'Whether `find` is enough to read drafts, as in Strapi'),
  'api.rest.defaultPopulate': trees(
    'What GETs populate that name no `populate`, by uid of the content-type, in any form of the parameter; before `options.defaultPopulate` of the definition',
  ),
  'api.responses.privateAttributes': list(
    [],
    'Attributes that are in no answer, of whatever type or component, as those of `options.privateAttributes` of one',
    'the name of an attribute',
    /./s,
  ),
  'http.bodyLimit': integer(
    1_048_576,
    1,
    'Largest JSON body; of a form with files, its text fields together',
    'bytes',
  ),
  'http.maxBodyMemory': integer(
    268_435_456,
    65_536,
    'Memory of all JSON bodies and forms together until they are answered, 2 for each byte and 64 for each value or key; beyond it 503. One address may take half of it, and what waits a quarter',
    'bytes',
  ),
  'http.maxHeaderSize': integer(
    131_072,
    8192,
    'Largest request line and headers together',
    'bytes',
  ),
  'http.maxConnections': integer(
    10_000,
    0,
    'Connections that may be open; beyond it 503; 0 = any number. Never more than half of the files that may be open (`ulimit -n`)',
  ),
  'http.maxUnsentBytes': integer(
    268_435_456,
    1,
    'What all clients together may leave unread of their answers; beyond it 503. An eighth is for small answers; a large one may take half of what is left of the rest',
    'bytes',
  ),
  'http.requestTimeoutMs': integer(
    30_000,
    1,
    'Longest that the head of a request may take to arrive, and then its body. Files have 15 minutes, or as long as the largest takes at 2 megabits a second',
    'ms',
  ),
  'http.shutdownDelayMs': integer(
    0,
    0,
    'How long new connections are still accepted at shutdown, while `/_ready` is 503: until a load balancer has seen it',
    'ms',
  ),
  'http.shutdownTimeoutMs': integer(
    10_000,
    0,
    'Longest that requests in flight may take at shutdown',
    'ms',
  ),
  'http.trustProxy': line(
    '',
    'Proxies whose `X-Forwarded-For` is believed: `loopback`, addresses, or a number of hops',
    '`loopback`, `linklocal`, `uniquelocal`, addresses or networks, or a number of hops',
    (text) => parseTrustedProxies(text) !== undefined,
  ),
  'http.publicUrl': line(
    '',
    'Where clients reach the service, for links in mails; default: `localhost` and the port',
    ...webAddress,
  ),
  'http.serverTiming': flag(
    false,
    'Whether answers say in the header `Server-Timing` what took how long, to any caller',
  ),
  'http.compression': flag(
    false,
    'Whether answers to reads are compressed for clients that take it (brotli, gzip); leave it to the proxy where one does',
  ),
  ...httpCacheSettings,
  ...cacheSettings,
  'http.rateLimit.max': integer(
    0,
    0,
    'Requests a minute per address, of all kinds; 0 = any number',
  ),
  'http.rateLimit.shared': flag(
    false,
    'Whether the instances of a database count requests together, for one database command each',
  ),
  'cors.origins': list(
    ['*'],
    'Origins that browsers may call from, with credentials; `*` = any, without them',
    '`*`, or an origin such as `https://example.org`',
    /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/]+)$/i,
  ),
  'log.level': choice(logLevels, 'info', 'Least severe line that is logged'),
  'log.slowRequestMs': integer(
    1000,
    0,
    'A request that takes longer, without what its client takes to send and receive and its files to be stored, has a line of its own that says where the time went; 0 = none has',
    'ms',
  ),
  ...documentationSettings,
  ...metricsSettings,
  ...errorSettings,
  ...authSettings,
  ...mailSettings,
  'database.mongod': line(
    '',
    'A MongoDB that Quire runs itself, in `DATA_DIR`: the path of a `mongod`, or `auto` for the one on the path; empty = the embedded engine',
    '`auto`, or the path of a program such as `/usr/bin/mongod`',
    /^(auto)?$|[\\/]/,
  ),
  'database.download': flag(
    false,
    'Whether `database.mongod=auto` downloads MongoDB (whose licence is the SSPL) where none is on the path',
  ),
  'database.downloadMirror': line(
    '',
    'Where MongoDB is downloaded from, in the layout of `fastdl.mongodb.org`; empty = from there',
    ...webAddress,
  ),
  'database.transactions': choice(
    ['auto', 'never'],
    'auto',
    'Whether a write is one transaction where the database has them (a replica set or a sharded cluster), or goes in steps of its own everywhere',
  ),
  'database.snapshotReads': flag(
    false,
    'Whether everything in the answer of a read is as of one moment, however many commands it takes; needs a replica set of MongoDB 5.0 or later',
  ),
  'database.exclusive': flag(
    false,
    'Whether this service has the MongoDB of others (`MONGODB_URI`) for itself, so that answers can be kept (`cache.answers`): other programs of Quire are refused while it runs',
  ),
  'database.cacheSize': integer(
    268_435_456,
    16_777_216,
    'Memory in which the database in `DATA_DIR` keeps what it has read. A sort may take an eighth as much, and 16 MB in any case',
    'bytes',
    Number.MAX_SAFE_INTEGER,
  ),
  'schema.onOlder': choice(
    ['serve', 'refuse', 'adopt'],
    'serve',
    'What a start does whose definitions were followed by others in this database: serves the newer ones, refuses, or makes its own the newest again (development only)',
  ),
  'schema.customFields': map(
    scalarTypes,
    'The types that custom fields are stored as, by name (`plugin::maps.place`), beside those that are known: `{"plugin::maps.place":"json"}`, in a variable also `plugin::maps.place=json`',
  ),
  'config.apply': choice(
    ['off', 'on', 'prune'],
    'off',
    'Whether a start makes locales, roles and API tokens what the files in `CONFIG_DIR` say; `prune` removes what is in none of them',
  ),
  ...indexSettings,
  'pool.threads': integer(1, 1, 'Worker threads for heavy queries', undefined, 64),
  'pool.queueLimit': integer(
    200,
    1,
    'Heavy queries that may wait for a thread; beyond it 503; half of it for one address where others wait',
  ),
  'pool.costThreshold': integer(
    1000,
    0,
    'Cost from which a query runs in the pool, in units of 10 µs; `explain=true` tells that of a query',
  ),
  'validation.requiredRelations': flag(true, 'Whether `required` holds for relations and media'),
  ...uploadSettings,
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settingsTable
/** Values of all settings and constants by dotted name: `settings['api.rest.maxLimit']`. */
export type Settings = Constants & {
  readonly [K in SettingName]: (typeof settingsTable)[K]['default']
}
