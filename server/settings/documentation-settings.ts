import { choice, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for the API documentation. */
export const documentationSettings = {
  'documentation.access': choice(
    ['auto', 'public', 'admins'],
    'auto',
    'Who can read `/documentation/openapi.json`, which `/documentation` shows: anybody, limited to the endpoints they can call (`public`), or only admins and full-access tokens (`admins`). `auto` is `admins` in production, else `public`',
  ),
} satisfies Record<string, Setting>
