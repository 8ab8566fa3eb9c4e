import { choice, integer, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for indexes that Quire creates in addition to those of the definitions. */
export const indexSettings = {
  'indexes.auto': choice(
    ['on', 'advise', 'off'],
    'on',
    'Whether Quire creates indexes for frequent queries on its own: yes (`on`), only those that an admin pins (`advise`), or none, without watching queries (`off`)',
  ),
  'indexes.perCollection': integer(
    8,
    0,
    'Maximum number of such indexes per collection',
    undefined,
    50,
  ),
  'indexes.maxBytes': integer(
    268_435_456,
    0,
    'Maximum size of all these indexes together',
    'bytes',
    Number.MAX_SAFE_INTEGER,
  ),
  'indexes.unusedDays': integer(
    28,
    1,
    'Such an index is dropped if no query has needed it for this long',
    'days',
    3650,
  ),
} satisfies Record<string, Setting>
