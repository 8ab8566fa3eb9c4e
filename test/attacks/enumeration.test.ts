import { hash } from '@node-rs/argon2'
import { expect } from 'chai'
import { createHook } from 'node:async_hooks'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('existence of an account', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'auth.registration': 'closed' } })
    const { db } = app.quire.services
    const role = await db.collection('roles').findOne({ type: 'authenticated' })
    const person = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
    const body = { ...person, role: Number(role?._id), confirmed: true }
    await app.request('POST', '/api/users', { token: app.token, body })
  })
  after(() => app.stop())

  const post = (path: string, body: unknown) => app.request('POST', path, { body })

  it('is not revealed by any response', async () => {
    for (const [path, bodyFor] of [
      ['/api/auth/local', (name: string) => ({ identifier: name, password: 'wrong password' })],
      ['/api/auth/local', (name: string) => ({ identifier: `${name}@example.org`, password: 'x' })],
      ['/api/auth/forgot-password', (name: string) => ({ email: `${name}@example.org` })],
      [
        '/api/auth/local/register',
        (name: string) => ({ username: name, email: `${name}@example.org`, password: 'Passw0rd!' }),
      ],
      ['/admin/forgot-password', (name: string) => ({ email: `${name}@example.org` })],
      ['/admin/login', (name: string) => ({ email: `${name}@example.org`, password: 'wrong' })],
    ] as const) {
      const [known, unknown] = [
        await post(path, bodyFor(path.startsWith('/admin') ? 'admin' : 'ana')),
        await post(path, bodyFor('nobody')),
      ]
      expect([known.status, known.body], path).to.deep.equal([unknown.status, unknown.body])
    }
    const sent = await post('/api/auth/send-email-confirmation', { email: 'ana@example.org' })
    expect(sent.body).to.deep.equal({ email: 'ana@example.org', sent: true })
  })

  it('is not revealed by response times, because every login hashes a password', async () => {
    const logIn = (identifier: string) => () =>
      post('/api/auth/local', { identifier, password: 'wrong password' })
    // The first login with an unknown name creates the hash that the passwords of unknown users are compared with.
    await logIn('nobody')()
    const [one, known, unknown] = [
      await nativeWork(() => hash('a password')),
      await nativeWork(logIn('ana')),
      await nativeWork(logIn('nobody')),
    ]
    expect({ one, known, unknown }).to.deep.equal({ one: 1, known: 1, unknown: 1 })
  })
})

/** Counts the tasks of native modules, such as hashing a password. Node calls their kind `undefined`. */
async function nativeWork(run: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init: (_id, kind) => {
      if (kind === 'undefined') count += 1
    },
  })
  hook.enable()
  try {
    await run()
    return count
  } finally {
    hook.disable()
  }
}
