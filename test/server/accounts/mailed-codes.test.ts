import { Writable } from 'node:stream'
import { expect } from 'chai'
import { pino } from 'pino'
import { createCodeMail } from '../../../server/accounts/users/code-mail.js'
import { createMailedCodes } from '../../../server/accounts/mailed-codes.js'
import { createMacs } from '../../../server/accounts/texts.js'
import { errorBody } from '../../support/error-body.js'
import { startMailServer, type MailServer } from '../../support/mail-server.js'
import type { Answer } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const password = 'Passw0rd!'

describe('mailed codes', () => {
  let mails: MailServer
  let app: TestApp
  before(async () => {
    mails = await startMailServer()
    app = await startApp({
      settings: {
        'email.url': mails.url,
        'email.from': 'Site <site@example.org>',
        'email.replyTo': 'help@example.org',
        'email.resetPasswordUrl': 'https://site.example/reset?lang=en',
        'email.confirmedUrl': 'https://site.example/welcome',
        'http.publicUrl': 'https://api.site.example/',
      },
    })
  })
  after(async () => {
    await app.stop()
    await mails.stop()
  })

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request('POST', `/api/auth/${path}`, { body, headers })
  const register = (username: string, headers?: Record<string, string>): Promise<Answer> =>
    post('local/register', { username, email: `${username}@example.org`, password }, headers)
  const logIn = (identifier: string, of = password) => post('local', { identifier, password: of })
  const stored = (username: string) =>
    app.quire.services.db.collection('users').findOne({ username })
  const codeIn = (text: string): string => /(?:confirmation|code)=(\S+)/.exec(text)?.[1] ?? ''
  const confirm = (code: string) =>
    app.request('GET', `/api/auth/email-confirmation?confirmation=${code}`)

  it('confirm the email address of a new user, who cannot log in before that', async () => {
    const registered = await register('ana')
    expect(registered.status).to.equal(200)
    expect(registered.body).to.have.nested.include({ 'user.confirmed': false })
    expect(registered.body).not.to.have.property('jwt')
    const unconfirmed = errorBody(
      400,
      'ApplicationError',
      'Your account email is not confirmed',
      {},
    )
    expect((await logIn('ana')).body).to.deep.equal(unconfirmed)
    expect((await logIn('ana', 'wrong password')).body).to.have.nested.property(
      'error.message',
      'Invalid identifier or password',
    )

    const mail = await mails.next()
    expect(mail).to.deep.include({ to: ['ana@example.org'], from: 'site@example.org' })
    expect(mail.raw).to.match(/^Reply-To: help@example.org/m)
    expect(mail.body).to.include('https://api.site.example/api/auth/email-confirmation?')
    const code = codeIn(mail.body)
    expect(JSON.stringify(await stored('ana'))).not.to.include(decodeURIComponent(code))
    const confirmed = await confirm(code)
    expect(confirmed.status).to.equal(302)
    expect(confirmed.headers.get('location')).to.equal('https://site.example/welcome')
    expect((await logIn('ana')).status).to.equal(200)
    expect((await confirm(code)).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'Invalid token', {}),
    )
  })

  it('are sent again on request, which invalidates the previous code', async () => {
    await register('bob')
    const first = codeIn((await mails.next()).body)
    const again = await post('send-email-confirmation', { email: 'Bob@example.org' })
    expect(again.body).to.deep.equal({ email: 'bob@example.org', sent: true })
    const second = codeIn((await mails.next()).body)
    expect((await confirm(first)).status).to.equal(400)
    expect((await confirm(second)).status).to.equal(302)
  })

  it('reset a password once, which revokes earlier JWTs', async () => {
    await register('cleo')
    await confirm(codeIn((await mails.next()).body))
    const { jwt } = (await logIn('cleo')).body as { jwt: string }
    expect((await post('forgot-password', { email: 'Cleo@example.org' })).body).to.deep.equal({
      ok: true,
    })
    const mail = await mails.next()
    expect(mail.to).to.deep.equal(['cleo@example.org'])
    expect(mail.body).to.include('https://site.example/reset?lang=en&code=')
    const code = decodeURIComponent(codeIn(mail.body))
    expect(JSON.stringify(await stored('cleo'))).not.to.include(code)

    const reset = { code, password: 'N3wpass!', passwordConfirmation: 'N3wpass!' }
    const incorrect = errorBody(400, 'ValidationError', 'Incorrect code provided', {})
    const wrong = { ...reset, code: `${code}x` }
    expect((await post('reset-password', wrong)).body).to.deep.equal(incorrect)
    expect(await post('reset-password', reset)).to.have.nested.property('body.jwt')
    expect((await post('reset-password', reset)).body).to.deep.equal(incorrect)
    expect((await logIn('cleo', 'N3wpass!')).status).to.equal(200)
    expect((await logIn('cleo')).status).to.equal(400)
    expect((await app.request('GET', '/api/users/me', { token: jwt })).status).to.equal(401)
  })

  const requestReset = async (username: string): Promise<string> => {
    await post('forgot-password', { email: `${username}@example.org` })
    return decodeURIComponent(codeIn((await mails.next()).body))
  }

  it('work for only one of several concurrent requests', async () => {
    await register('ines')
    const confirmation = codeIn((await mails.next()).body)
    const confirmed = await Promise.all([1, 2, 3].map(() => confirm(confirmation)))
    expect(confirmed.map(({ status }) => status).sort()).to.deep.equal([302, 400, 400])
    const code = await requestReset('ines')
    const answers = await Promise.all(
      ['N3wpass-1', 'N3wpass-2', 'N3wpass-3'].map((chosen) =>
        post('reset-password', { code, password: chosen, passwordConfirmation: chosen }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400])
  })

  it('become invalid when the email address or the password changes', async () => {
    await register('jon')
    const confirmation = codeIn((await mails.next()).body)
    const { _id } = (await stored('jon')) ?? {}
    const change = (body: object) =>
      app.request('PUT', `/api/users/${String(_id)}`, { token: app.token, body })
    const reset = async (code: string) =>
      (await post('reset-password', { code, password, passwordConfirmation: password })).status
    const first = await requestReset('jon')
    expect((await change({ email: 'jon@example.org', blocked: false })).status).to.equal(200)
    expect((await change({ email: 'jonas@example.org' })).status).to.equal(200)
    expect((await confirm(confirmation)).status).to.equal(400)
    expect(await reset(first)).to.equal(400)
    const second = await requestReset('jonas')
    expect((await change({ password: 'Chosen-by-others' })).status).to.equal(200)
    expect(await reset(second)).to.equal(400)
    expect(await reset(await requestReset('jonas'))).to.equal(200)
  })

  it('are rejected for another purpose: a confirmation code cannot reset a password', async () => {
    await register('dora')
    const code = decodeURIComponent(codeIn((await mails.next()).body))
    const reset = { code, password: 'N3wpass!', passwordConfirmation: 'N3wpass!' }
    expect((await post('reset-password', reset)).status).to.equal(400)
  })

  it('are not sent to unknown or blocked users, who get the same responses', async () => {
    await register('eve')
    await mails.next()
    await app.quire.services.db
      .collection('users')
      .updateOne({ username: 'eve' }, { $set: { blocked: true } })
    const before = mails.received.length
    for (const email of ['eve@example.org', 'nobody@example.org']) {
      expect((await post('forgot-password', { email })).body).to.deep.equal({ ok: true })
      expect((await post('send-email-confirmation', { email })).body).to.deep.equal({
        ...{ email, sent: true },
      })
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(mails.received).to.have.lengthOf(before)
  })

  it('link to the configured public URL, whatever host the request headers name', async () => {
    await register('fay', { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' })
    const { raw, body } = await mails.next()
    expect(raw).not.to.include('evil')
    expect(body).to.include('https://api.site.example/api/')
  })

  it('are mailed without any text that the requester chose', async () => {
    const username = 'Win money at evil.example Bcc: all@example.org'
    await post('local/register', { username, email: 'gwen@example.org', password })
    const mail = await mails.next()
    expect(mail.to).to.deep.equal(['gwen@example.org'])
    // Removes the code, which may contain `evil` or `bcc` by chance. In the raw mail, `=` breaks long lines.
    const raw = mail.raw.replaceAll('=\r\n', '')
    const code = codeIn(raw)
    expect(code).not.to.equal('')
    expect(raw.replaceAll(code, '')).not.to.match(/evil|bcc/i)
  })

  it('expire, and are valid for one user, one purpose and one secret', async () => {
    type StoredUser = Readonly<{ documentId: string; resetPasswordToken?: string | null }>
    const users = new Map<string, StoredUser>([['document2', { documentId: 'document2' }]])
    const codesOf = (...secrets: [string, ...string[]]) =>
      createMailedCodes<StoredUser>(
        createMacs(secrets),
        createCodeMail(pino({ level: 'silent' }), undefined),
        (documentId) => Promise.resolve(users.get(documentId)),
        ({ documentId }, data) => Promise.resolve(users.set(documentId, { documentId, ...data })),
      )
    const reset = 'reset-password'
    const isValid = async (of: ReturnType<typeof codesOf>, code: string) =>
      (await of.find(reset, code)) !== undefined
    const codes = codesOf('secret')
    const account = { id: 1, documentId: 'document1', email: 'ana@example.org' }
    const code = await codes.make(reset, account)
    expect(await codes.find(reset, code)).to.equal(users.get('document1'))
    expect(await codes.find('admin-reset-password', code)).to.be.undefined
    const stored = users.get('document1')?.resetPasswordToken ?? ''
    users.set('document2', { documentId: 'document2', resetPasswordToken: stored })
    expect(await isValid(codes, code.replace('document1', 'document2'))).to.be.false
    expect(await isValid(codesOf('next secret', 'secret'), code)).to.be.true
    expect(await isValid(codesOf('next secret'), code)).to.be.false
    const ended = stored.replace(/^\d+/, String(Date.now() - 1))
    users.set('document1', { documentId: 'document1', resetPasswordToken: ended })
    expect(await isValid(codes, code)).to.be.false
    users.set('document1', { documentId: 'document1', resetPasswordToken: null })
    expect(await isValid(codes, code)).to.be.false
  })
})

describe('mail with a code', () => {
  it('is composed after the response, so that the time does not reveal whether the account exists', async () => {
    const mail = createCodeMail(pino({ level: 'silent' }), () => Promise.resolve())
    let isMade = false
    const make = () => Promise.resolve((isMade = true)).then(() => 'code')
    mail.send('reset-password', { id: 1, email: 'ana@example.org' }, make)
    // All microtasks run in one turn of the event loop, in which a handler's response would also be written.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
    expect(isMade).to.be.false
    await mail.settled()
    expect(isMade).to.be.true
  })
})

describe('mail that cannot be sent', () => {
  const lines: string[] = []
  const log = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  const events = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

  it('is logged if no mail server is configured, and new users need no confirmation', async () => {
    const app = await startApp({ log })
    try {
      const body = { username: 'ana', email: 'ana@example.org', password }
      const registered = await app.request('POST', '/api/auth/local/register', { body })
      expect(registered.body).to.have.nested.include({ 'user.confirmed': true })
      expect(registered.body).to.have.property('jwt')
      const forgotten = await app.request('POST', '/api/auth/forgot-password', { body })
      expect(forgotten.body).to.deep.equal({ ok: true })
      const logged = events().find(({ event }) => event === 'mail')
      expect(logged).to.include({
        purpose: 'reset-password',
        msg: 'No mail was sent, because email.url is not set',
      })
    } finally {
      await app.stop()
    }
  })

  it('is logged if the mail server is unreachable, and the response stays the same', async () => {
    const mails = await startMailServer()
    await mails.stop()
    lines.length = 0
    const settings = { 'email.url': mails.url, 'email.from': 'site@example.org' }
    const app = await startApp({ log, settings })
    try {
      const body = { username: 'ana', email: 'ana@example.org', password }
      await app.request('POST', '/api/auth/local/register', { body })
      const forgotten = await app.request('POST', '/api/auth/forgot-password', { body })
      expect(forgotten.body).to.deep.equal({ ok: true })
    } finally {
      // `stop` waits for mails in flight.
      await app.stop()
    }
    const logged = events().filter(({ event }) => event === 'mail')
    expect(logged.map(({ purpose, msg }) => [purpose, msg])).to.have.deep.members([
      ['email-confirmation', 'No mail was sent'],
      ['reset-password', 'No mail was sent'],
    ])
    expect(JSON.stringify(logged)).not.to.include('p%40ss')
  })
})
