import { choice, integer, isWebAddress, line, type Setting } from './setting-kinds.js'

const aYear = 31_536_000

/** Time that a response may take to the cache that stores it, in ms. */
export const purgeMarginMs = 1000

/** Rows of `settingsTable` for caches between the service and its clients (docs/caching.md). */
export const httpCacheSettings = {
  'http.cache.public': integer(
    0,
    0,
    'How long caches may keep what is answered without credentials, unasked and changed or not; browsers too, which no purge reaches; 0 = not',
    's',
    aYear,
  ),
  'http.cache.shared': integer(
    0,
    0,
    'The same for caches that many share, such as a CDN; 0 = as `http.cache.public`',
    's',
    aYear,
  ),
  'http.cache.staleWhileRevalidate': integer(
    0,
    0,
    'How long after that caches may go on showing it while they ask again',
    's',
    aYear,
  ),
  'http.cache.keyHeader': choice(
    ['Surrogate-Key', 'xkey', 'Cache-Tag', 'none'],
    'Surrogate-Key',
    'In which header such answers name the documents and types that they show, for purges: as Fastly, Varnish or Cloudflare reads it',
  ),
  'http.cache.keyBytes': integer(
    8192,
    256,
    'Longest list of such keys; beyond it an answer names its types alone',
    'bytes',
    16_384,
  ),
  'http.cache.purgeUrl': line(
    '',
    'Where the keys of what has changed are sent, signed; empty = nowhere',
    // Credentials in an address are not used, and logs may show them.
    'an address such as `https://example.org/purge`, without a user and a password',
    (text) =>
      isWebAddress(text) && (text === '' || new URL(text).username + new URL(text).password === ''),
  ),
  'http.cache.purgeSecret': {
    ...line(
      '',
      'What such a request is signed with, as in Standard Webhooks: `whsec_` and 24 to 64 bytes in Base64',
      '`whsec_` and 24 to 64 bytes in Base64; `echo "whsec_$(openssl rand -base64 33)"` makes one',
      /^$|^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
    ),
    secret: true,
  },
} satisfies Record<string, Setting>
