import { choice, integer, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for automatic indexes, beyond those of the definitions. */
export const indexSettings = {
  'indexes.auto': choice(
    ['on', 'advise', 'off'],
    'on',
    'Whether indexes are made that no definition asks for and that what is asked is worth: `on`; only those that an admin pins (`advise`); none, and nothing is watched (`off`)',
  ),
  'indexes.perCollection': integer(8, 0, 'Most such indexes of one collection', undefined, 50),
  'indexes.maxBytes': integer(
    268_435_456,
    0,
    'What all of them together may take',
    'bytes',
    Number.MAX_SAFE_INTEGER,
  ),
  'indexes.unusedDays': integer(
    28,
    1,
    'After so many days in which nothing was asked that one of them serves, it goes',
    'days',
    3650,
  ),
} satisfies Record<string, Setting>
