import { choice, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for the API documentation. */
export const documentationSettings = {
  'documentation.access': choice(
    ['auto', 'public', 'admins'],
    'auto',
    'Who may read `/documentation/openapi.json`, which `/documentation` shows: anybody, of what they may call, or admins and full-access tokens alone; `auto` = `admins` in production, else `public`',
  ),
} satisfies Record<string, Setting>
