import type { Body } from './bodies.js'
import type { Call } from './orders.js'

const megabyte = 2 ** 20
const bulkBytes = 16 * megabyte

const login = (label: string, body: Body, refused: readonly number[]): Call => ({
  ...{ label, path: '/api/auth/local', body, refused },
})

/** A write that the client has no permission for. */
const forbidden = (label: string, body: Body): Call => ({
  ...{ label, path: '/api/articles', body },
  refused: body.gzip === true ? [401, 403, 415] : [401, 403],
})

/** Logins whose compressed body of 1 KB expands to 1 MB. */
export const gzipBombs: readonly Call[] = [
  login('gzip bomb', { form: 'arrays', bytes: megabyte, gzip: true }, [400, 413, 415, 429]),
]

const tooLarge = [413, 429]

export const deep: readonly Call[] = (['arrays', 'unclosed arrays', 'objects'] as const).flatMap(
  (form) => [
    forbidden('deep, without permission', { form, bytes: megabyte }),
    login('deep login', { form, bytes: megabyte }, tooLarge),
  ],
)

export const wide = (token: string): readonly Call[] =>
  (['numbers', 'an article with numbers'] as const).flatMap((form) => [
    {
      ...{ label: `${form}, with a token`, path: '/api/articles', token },
      ...{ body: { form, bytes: megabyte }, refused: [201, 400, 413] },
    },
    forbidden(`${form}, without permission`, { form, bytes: megabyte }),
  ])

const bulk = (label: string, form: Body['form'], token: string): Call => ({
  ...{ label, path: '/api/articles/bulk', token, body: { form, bytes: bulkBytes } },
  refused: [200, 400, 413],
})

export const bulksWithUnknownKeys = (token: string): readonly Call[] => [
  bulk('1.2 million unknown keys', 'a bulk with unknown keys', token),
]

export const deepBulks = (token: string): readonly Call[] => [
  bulk('16 MB of [', 'unclosed arrays', token),
  bulk('8 MB of [, 8 MB of ]', 'arrays', token),
]

export const slow = (label: string, token: string): Call => ({
  ...{ label, path: '/api/articles', token, refused: [408] },
  body: { form: 'an article with a text', bytes: megabyte },
})

/** One body exceeds the size limit of logins; the other has the maximum size. */
export const refusedLogins: readonly Call[] = [
  login('login of 1 MB', { form: 'a login', bytes: megabyte }, [400, ...tooLarge]),
  login('login of 15 KB', { form: 'a login', bytes: 15_360 }, [400, ...tooLarge]),
]

export const refusedWrites: readonly Call[] = [
  forbidden('article of 1 MB', { form: 'an article with objects', bytes: megabyte }),
  forbidden('article of 1 MB, gzip', {
    form: 'an article with objects',
    bytes: megabyte,
    gzip: true,
  }),
]
