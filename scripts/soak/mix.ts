const deep =
  'populate[author][populate]=avatar&populate[category][populate]=parent&populate[tags]=true' +
  '&populate[sections]=true&populate[related][populate][author][populate]=avatar&populate[cover]=true'
const filter = 'filters[author][name][$containsi]=a&filters[readingMinutes][$gte]'
const draft = '"title":"{slug}","slug":"{slug}","summary":"Draft","related":"{article}"'
const one = '/api/articles/{documentId}'

/** A share of all stories, and requests that a client sends one after the other. */
export type Story = readonly [share: number, ...requests: readonly string[]]

/**
 * What clients do; they leave nothing behind. A request has a kind, its right statuses, and perhaps JSON. Braces stand
 * for values that are drawn for the story, and for those of the answers before. A story ends with the first answer that
 * is no 2xx.
 */
export const mix: readonly Story[] = [
  [20, 'list: 200 GET /api/articles?sort=publishedOn:desc'],
  [15, 'one: 200 GET /api/articles/{article}'],
  [6, `deep: 200 GET /api/articles?${deep}&pagination[pageSize]=10`],
  [2, 'everything: 200 GET /api/articles?populate=*&pagination[pageSize]=50'],
  [8, `filter: 200 GET /api/articles?${filter}={minutes}&sort=title`],
  [2, 'search: 200 GET /api/articles?_q={word}'],
  [4, 'locale: 200 GET /api/articles?locale={locale}&populate=tags'],
  [3, 'drafts: 200 GET /api/articles?status=draft&fields=title,slug'],
  [8, 'one: 200 GET /api/articles/{article}', 'not modified: 304 GET /api/articles/{article}'],
  [
    6,
    `create: 201 POST /api/articles?status=draft {"data":{${draft}}}`,
    `update: 200 PUT ${one}?status=draft {"data":{"summary":"Changed"}}`,
    `publish: 200 POST ${one}/actions/publish {}`,
    `one: 200 GET ${one}?${deep}`,
    `update: 200 PUT ${one} {"data":{"readingMinutes":4,"tags":[]}}`,
    `delete: 204 DELETE ${one}`,
  ],
  [
    1,
    'upload: 201 POST /api/upload picture',
    'file: 200 GET {url}',
    'delete a file: 200 DELETE /api/upload/files/{id}',
  ],
  [
    1,
    // A running service may limit logins, and its role may lack the permission.
    'login: 200,429 POST /api/auth/local {"identifier":"{email}","password":"{password}"}',
    'user: 200,403 GET /api/users/me',
  ],
  [2, 'refused: 400 GET /api/articles?filters[titel][$eq]=x'],
  [2, 'refused: 404 GET /api/articles/nothing-is-there'],
  [2, 'refused: 400 POST /api/articles {"data":'],
  [1, 'refused: 400,429 POST /api/auth/local {"identifier":"{email}","password":"wrong"}'],
]
