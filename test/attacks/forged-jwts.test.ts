import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose'
import { errorBody } from '../support/error-body.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { testJwtSecret } from '../support/test-secrets.js'

const secret = new TextEncoder().encode(testJwtSecret)
const unauthorized = errorBody(401, 'UnauthorizedError', 'Missing or invalid credentials', {})

const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

describe('JWT', () => {
  let app: TestApp
  let jwt: string
  let claims: JWTPayload
  let kid: string
  before(async () => {
    app = await startApp()
    const person = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
    const made = await app.request('POST', '/api/auth/local/register', { body: person })
    jwt = (made.body as { jwt: string }).jwt
    claims = decodeJwt(jwt)
    kid = decodeProtectedHeader(jwt).kid ?? ''
  })
  after(() => app.stop())

  const encoded = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (payload: JWTPayload, header: object = {}, key = secret): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid, ...header }).sign(key)
  const [head, payload, signature] = [0, 1, 2].map((index) => () => jwt.split('.')[index] ?? '')
  const part = (get: (() => string) | undefined): string => get?.() ?? ''

  it('is accepted if it has the key and the claims of the service', async () => {
    expect((await app.request('GET', '/api/users/me', { token: jwt })).status).to.equal(200)
    const copy = await signed(claims)
    expect((await app.request('GET', '/api/users/me', { token: copy })).status).to.equal(200)
  })

  const forgeries: Readonly<Record<string, () => string | Promise<string>>> = {
    'without a signature': () => `${encoded({ alg: 'none' })}.${part(payload)}.`,
    'without a signature, in another case': () => `${encoded({ alg: 'nOnE' })}.${part(payload)}.`,
    'with its signature cut off': () => `${part(head)}.${part(payload)}.`,
    'with its signature changed': () =>
      `${part(head)}.${part(payload)}.${part(signature).replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`,
    'with claims of another user': () =>
      `${part(head)}.${encoded({ ...claims, id: 2 })}.${part(signature)}`,
    'with another algorithm and the same key': () => signed(claims, { alg: 'HS512' }),
    'with a key of another kind': () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
    },
    'with its own key in the header': () => {
      const key = { kty: 'oct', k: Buffer.from('mine').toString('base64url') }
      return signed(claims, { jwk: key }, new TextEncoder().encode('mine'.repeat(8)))
    },
    'with an empty key': () =>
      signed(claims, { kid: '../../../dev/null' }, new TextEncoder().encode('\0'.repeat(32))),
    'with the URL of a key': () => signed(claims, { jku: 'http://127.0.0.1:1/', kid: 'x' }),
    'with an unknown critical extension': () =>
      signed(claims, { crit: ['b64'], b64: false }).catch(() => 'a.b.c'),
    'that has expired': () => signed({ ...claims, exp: 1 }),
    'that never expires': () => signed(without(claims, 'exp')),
    'that is not valid yet': () => signed({ ...claims, nbf: Math.floor(Date.now() / 1000) + 600 }),
    'without an audience': () => signed(without(claims, 'aud')),
    'for another service': () => signed({ ...claims, aud: 'other' }),
    'with the fingerprint of another password': () => signed({ ...claims, pwd: 'x'.repeat(22) }),
    'without a password fingerprint': () => signed(without(claims, 'pwd')),
    'with an operator as the user id': () => signed({ ...claims, id: { $gt: 0 } }),
    'with a string as the user id': () => signed({ ...claims, id: '1' }),
    'of an admin': () => app.adminJwt,
    'with additional text at its end': () => `${jwt}.${'a'.repeat(8000)}`,
    'with five parts': () => `${jwt}.a.b`,
  }

  for (const [what, forge] of Object.entries(forgeries)) {
    it(`is refused ${what}`, async () => {
      const token = await forge()
      const suggestion =
        'This is the token of an admin, which is valid outside the content API, for example for /admin and /users-permissions. For the content API, send an API token or the token of a user'
      const details = token === app.adminJwt ? { suggestion } : {}
      const refusal = { ...unauthorized, error: { ...unauthorized.error, details } }
      for (const path of ['/api/users/me', '/api/authors']) {
        const { status, body } = await app.request('GET', path, { token })
        expect([status, body], path).to.deep.equal([401, refusal])
      }
      if (token === app.adminJwt) return
      expect((await app.request('GET', '/admin/users/me', { token })).status).to.equal(401)
    })
  }

  it('is refused by /admin if it is the JWT of a user with the audience of admins', async () => {
    const token = await signed({ ...claims, aud: 'quire:admin' })
    expect((await app.request('GET', '/admin/users/me', { token })).status).to.equal(401)
  })
})
