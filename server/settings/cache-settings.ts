import { integer, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for the cache of responses (docs/decisions.md, "Answers that did not change"). */
export const cacheSettings = {
  'cache.answers': integer(
    67_108_864,
    0,
    'Memory for answers of GETs that are given again as long as nothing they were made of has changed, where this service is alone on its database; 0 = none',
    'bytes',
  ),
  'cache.maxStaleMs': integer(
    0,
    0,
    'How late an answer out of memory may be, where several instances serve one replica set and hear of each other by a change stream; 0 = none is kept there',
    'ms',
    60_000,
  ),
} satisfies Record<string, Setting>
