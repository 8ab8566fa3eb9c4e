import { choice, integer, isWebAddress, line, type Setting } from './setting-kinds.js'

const aYear = 31_536_000

/** Time in ms that a response is assumed to take from the service to a cache. */
export const purgeMarginMs = 1000

/** Rows of `settingsTable` for caches between the service and its clients (docs/caching.md). */
export const httpCacheSettings = {
  'http.cache.public': integer(
    0,
    0,
    'How long caches can use a response to a request without credentials, even if its content has changed; 0 = not at all. This includes browsers, which cannot be purged',
    's',
    aYear,
  ),
  'http.cache.shared': integer(
    0,
    0,
    'The same for shared caches such as a CDN; 0 = as `http.cache.public`',
    's',
    aYear,
  ),
  'http.cache.staleWhileRevalidate': integer(
    0,
    0,
    'How long caches can use an expired response while they fetch a new one',
    's',
    aYear,
  ),
  'http.cache.keyHeader': choice(
    ['Surrogate-Key', 'xkey', 'Cache-Tag', 'none'],
    'Surrogate-Key',
    'Response header with the cache keys of the documents and types in it, for purges: the name that Fastly, Varnish or Cloudflare reads',
  ),
  'http.cache.purgeUrl': line(
    '',
    'Address that receives the keys of changed content in signed requests; empty = none',
    // A user and a password in the address would be unused, and could appear in logs.
    'an address such as `https://example.org/purge`, without a user and a password',
    (text) =>
      isWebAddress(text) && (text === '' || new URL(text).username + new URL(text).password === ''),
  ),
  'http.cache.purgeSecret': {
    ...line(
      '',
      'Secret that signs these requests, as in Standard Webhooks: `whsec_` and 24 to 64 bytes in Base64',
      '`whsec_` and 24 to 64 bytes in Base64; generate one with `echo "whsec_$(openssl rand -base64 33)"`',
      /^$|^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
    ),
    secret: true,
  },
} satisfies Record<string, Setting>
