import { expect } from 'chai'
import { startApp, type TestApp } from '../support/start-app.js'

describe('Who has an account', () => {
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

  it('is told by no answer', async () => {
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

  it('is told by no time: a password is hashed for everybody', async () => {
    const times: Record<'ana' | 'nobody', number[]> = { ana: [], nobody: [] }
    // In turns, because the machine may have other things to do meanwhile.
    for (let attempt = 0; attempt < 15; attempt += 1)
      for (const identifier of ['ana', 'nobody'] as const) {
        const begun = performance.now()
        await post('/api/auth/local', { identifier, password: 'wrong password' })
        times[identifier].push(performance.now() - begun)
      }
    const median = (list: number[]): number => list.sort((a, b) => a - b)[7] ?? 0
    const [known, unknown] = [median(times.ana), median(times.nobody)]
    // An answer without hashing takes less than a quarter of one with it.
    expect(unknown / known, `${unknown} ms and ${known} ms`).to.be.within(0.4, 2.5)
  })
})
