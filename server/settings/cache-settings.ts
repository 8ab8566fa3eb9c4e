import { integer, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for the cache of responses (docs/internals/decisions.md, "Response cache"). */
export const cacheSettings = {
  'cache.answers': integer(
    67_108_864,
    0,
    'Memory for cached responses to GETs, if this service is the only one on its database; 0 = no cache. A cached response is used until its content changes',
    'bytes',
  ),
  'cache.maxStaleMs': integer(
    0,
    0,
    'Maximum time by which a cached response can be out of date, if several instances serve one replica set and follow its change stream; 0 = no cache there',
    'ms',
    60_000,
  ),
} satisfies Record<string, Setting>
