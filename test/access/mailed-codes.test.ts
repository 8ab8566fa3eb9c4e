import { expect } from 'chai'
import { createAccess } from '../../server/auth/access.js'
import type { Caller } from '../../server/auth/caller.js'
import { createOneTimeCodes } from '../../server/auth/one-time-codes.js'
import type { HttpRequest } from '../../server/http/route.js'
import { startApp, type TestApp } from '../support/start-app.js'

describe('codes that are mailed', () => {
  let app: TestApp
  let mails: { purpose: string; email: string; code: string }[]
  let call: (path: string, body: unknown, search?: string) => Promise<unknown>
  before(async () => {
    app = await startApp()
    mails = []
    const { routes } = createAccess(app.quire.services, {
      secrets: { jwt: ['jwt-secret-of-the-tests'], apiTokenSalt: 'salt-of-the-tests' },
      deliver: (mail) => Promise.resolve(void mails.push(mail)),
    })
    const caller = { kind: 'public', grant: { key: 'none', actions: new Set() } } satisfies Caller
    call = async (path, body, search = '') => {
      const route = routes.find((each) => each.path === `/api/auth/${path}`)
      const request = { body, search, caller, ip: '::1', path: '', headers: {} } as unknown
      return route?.handle(request as HttpRequest)
    }
    const body = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
    await app.request('POST', '/api/auth/local/register', { body })
  })
  after(() => app.stop())

  const messageOf = (attempt: Promise<unknown>): Promise<string> =>
    attempt.then(
      () => 'no error',
      (error: unknown) => (error as Error).message,
    )
  const stored = () => app.quire.services.db.collection('users').findOne({ username: 'ana' })

  it('are worth a new password once, and are stored as a hash', async () => {
    await call('forgot-password', { email: 'Ana@example.org' })
    const code = mails.at(-1)?.code ?? ''
    expect(mails.at(-1)).to.include({ purpose: 'reset-password', email: 'ana@example.org' })
    expect((await stored())?.['resetPasswordToken'])
      .to.be.a('string')
      .and.not.include(code)

    const reset = { code, password: 'N3wpass!', passwordConfirmation: 'N3wpass!' }
    const wrong = { ...reset, code: `${code}x` }
    expect(await messageOf(call('reset-password', wrong))).to.equal('Incorrect code provided')
    expect(await call('reset-password', reset)).to.have.property('status', 200)
    expect(await messageOf(call('reset-password', reset))).to.equal('Incorrect code provided')
    const login = { identifier: 'ana', password: 'N3wpass!' }
    expect(await call('local', login)).to.have.property('status', 200)
  })

  it('confirm an address', async () => {
    const { db } = app.quire.services
    await db.collection('users').updateOne({ username: 'ana' }, { $set: { confirmed: false } })
    await call('send-email-confirmation', { email: 'ana@example.org' })
    const code = mails.at(-1)?.code ?? ''
    const reset = { code, password: 'N3wpass!', passwordConfirmation: 'N3wpass!' }
    expect(await messageOf(call('reset-password', reset))).to.equal('Incorrect code provided')
    const search = `confirmation=${encodeURIComponent(code)}`
    expect(await call('email-confirmation', undefined, search)).to.deep.include({ status: 302 })
    expect((await stored())?.['confirmed']).to.be.true
    expect(await messageOf(call('email-confirmation', undefined, search))).to.equal('Invalid token')
  })

  it('end, and belong to one user and one purpose', () => {
    const codes = createOneTimeCodes(['secret'])
    const { code, stored: kept } = codes.make('reset', 'document1', 1000)
    expect(codes.documentIdOf(code)).to.equal('document1')
    expect(codes.matches('reset', code, kept)).to.be.true
    expect(codes.matches('confirm', code, kept)).to.be.false
    expect(codes.matches('reset', code.replace('document1', 'document2'), kept)).to.be.false
    expect(codes.matches('reset', code, null)).to.be.false
    const rotated = createOneTimeCodes(['next secret', 'secret'])
    expect(rotated.matches('reset', code, kept)).to.be.true
    expect(createOneTimeCodes(['next secret']).matches('reset', code, kept)).to.be.false
    const ended = codes.make('reset', 'document1', -1)
    expect(codes.matches('reset', ended.code, ended.stored)).to.be.false
  })
})
