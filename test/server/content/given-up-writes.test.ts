import { expect } from 'chai'
import { runInOrder } from '../../../engine/database/run-in-order.js'
import type { ApiError } from '../../../engine/errors.js'
import { builtIn } from '../../../engine/schema/registry.js'
import { startWriteTime } from '../../../engine/write-time.js'
import { claimWork } from '../../../server/accounts/claim-work.js'
import type { Answer, RequestOptions } from '../../support/request.js'
import { sideBySide } from '../../support/side-by-side.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const timeoutMs = 3000

const overdue = (outcome: 'not-done' | 'unknown') => ({ status: 503, outcome })

describe('write that times out while it waits for its turn', function () {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'api.rest.writeTimeoutMs': timeoutMs } })
  })
  // Runs the tests concurrently, because each of them waits for a timeout.
  const it = sideBySide()
  after(() => app.stop())

  const shownIn = async <T>(path: string, token = app.token): Promise<T> => {
    const { body } = await app.request('GET', path, { token })
    return body as T
  }
  const outcomeOf = ({ status, body }: Answer) => {
    const { error } = body as { error?: { details: { outcome?: string } } }
    return { status, outcome: error?.details.outcome }
  }
  /**
   * Blocks writes to a document. The returned function unblocks them, and resolves when the queued writes have ended.
   */
  const blockDocument = (uid: string, documentId: string): (() => Promise<void>) => {
    const { db } = app.quire.services
    const key = `${uid} ${documentId}`
    let unblock = (): void => undefined
    void runInOrder(db, key, () => new Promise<void>((resolve) => (unblock = resolve)))
    return async () => {
      unblock()
      await runInOrder(db, key, () => Promise.resolve())
    }
  }
  /**
   * Sends requests while their document is blocked, and waits for the responses. Returns them after the queued writes
   * have ended.
   */
  const sendLate = async (
    document: readonly [uid: string, documentId: string],
    requests: readonly (readonly [method: string, path: string, options: RequestOptions])[],
  ) => {
    const unblock = blockDocument(...document)
    const answers = await Promise.all(
      requests.map(([method, path, options]) =>
        app.request(method, path, { token: app.token, ...options }),
      ),
    )
    await unblock()
    return answers.map(outcomeOf)
  }
  const formOf = (fields: Readonly<Record<string, string>>, files: readonly string[] = []) => {
    const form = new FormData()
    for (const text of files) form.append('files', new Blob([text]), `${text}.txt`)
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return form
  }

  const ofUser = async () => {
    const { db } = app.quire.services
    const role = await db.collection<{ _id: number }>('roles').findOne({ type: 'authenticated' })
    const password = 'Passw0rd!'
    const person = { username: 'ana', email: 'ana@example.org', password, confirmed: true }
    const made = await app.request('POST', '/api/users', {
      token: app.token,
      body: { ...person, role: role?._id },
    })
    const { id, documentId } = made.body as { id: number; documentId: string }
    const session = await app.request('POST', '/api/auth/local', {
      body: { identifier: 'ana', password },
    })
    const token = (session.body as { jwt: string }).jwt
    await app.allow('authenticated', ['plugin::users-permissions.auth.changePassword'])
    const next = 'Another-passw0rd!'
    const change = { currentPassword: password, password: next, passwordConfirmation: next }
    const before = await shownIn(`/api/users/${id}`)
    const answers = await sendLate(
      [builtIn.user, documentId],
      [
        ['PUT', `/api/users/${id}`, { body: { username: 'bea' } }],
        ['POST', '/api/auth/change-password', { token, body: change }],
        ['DELETE', `/api/users/${id}`, {}],
      ],
    )
    expect(answers).to.deep.equal(answers.map(() => overdue('not-done')))
    expect(await shownIn(`/api/users/${id}`)).to.deep.equal(before)
    const again = await app.request('POST', '/api/auth/local', {
      body: { identifier: 'ana', password },
    })
    expect(again.status).to.equal(200)
  }

  const ofRole = async () => {
    const { body } = await app.request('GET', '/users-permissions/roles', { token: app.adminJwt })
    const [role] = (body as { roles: { id: number; documentId: string; name: string }[] }).roles
    const { id = 0, documentId = '', name } = role ?? {}
    const path = `/users-permissions/roles/${id}`
    const answers = await sendLate(
      [builtIn.role, documentId],
      [['PUT', path, { token: app.adminJwt, body: { name: 'Another name' } }]],
    )
    expect(answers).to.deep.equal([overdue('not-done')])
    const after = await shownIn<{ role: { name: string } }>(path, app.adminJwt)
    expect(after.role.name).to.equal(name)
  }

  const ofLocale = async () => {
    const locales = () =>
      shownIn<{ id: number; documentId: string }[]>('/i18n/locales', app.adminJwt)
    const before = await locales()
    const [{ id, documentId } = { id: 0, documentId: '' }] = before
    const answers = await sendLate(
      [builtIn.locale, documentId],
      [['PUT', `/i18n/locales/${id}`, { token: app.adminJwt, body: { name: 'Another name' } }]],
    )
    expect(answers).to.deep.equal([overdue('not-done')])
    expect(await locales()).to.deep.equal(before)
  }

  const ofFile = async () => {
    const uploaded = await app.request('POST', '/api/upload', {
      token: app.token,
      body: formOf({}, ['one']),
    })
    const [{ id, documentId }] = uploaded.body as [{ id: number; documentId: string }]
    const path = `/api/upload/files/${id}`
    const before = await shownIn<{ url: string }>(path)
    const answers = await sendLate(
      [builtIn.file, documentId],
      [
        ['POST', `/api/upload?id=${id}`, { body: formOf({ fileInfo: '{"caption":"late"}' }) }],
        ['DELETE', path, {}],
      ],
    )
    expect(answers).to.deep.equal(answers.map(() => overdue('not-done')))
    expect(await shownIn(path)).to.deep.equal(before)
    expect((await app.request('GET', before.url)).text).to.equal('one')
  }

  const ofAttachedFile = async () => {
    const made = await app.request('POST', '/api/authors', {
      token: app.token,
      body: { data: { name: 'Ana' } },
    })
    const { id, documentId } = (made.body as { data: { id: number; documentId: string } }).data
    const attach = { ref: 'api::author.author', refId: String(id), field: 'avatar' }
    const answers = await sendLate(
      ['api::author.author', documentId],
      [['POST', '/api/upload', { body: formOf(attach, ['two']) }]],
    )
    expect(answers).to.deep.equal([overdue('unknown')])
    const isLeft = async () => {
      const files = await shownIn<readonly { name: string }[]>('/api/upload/files')
      // The file `one.txt` belongs to another test.
      return files.some(({ name }) => name !== 'one.txt')
    }
    while (await isLeft());
  }

  it('leaves a user unchanged', ofUser)
  it('leaves a role unchanged', ofRole)
  it('leaves a locale unchanged', ofLocale)
  it('leaves a file unchanged', ofFile)
  it('deletes uploaded files that could not be attached', ofAttachedFile)

  it('never starts work that needs a lock another process holds', async () => {
    const { db } = app.quire.services
    const claims = db.collection<{ _id: string; owner: string; until: Date }>('_settings')
    const until = new Date(Date.now() + 60_000)
    await claims.insertOne({ _id: 'trial', owner: 'another', until })
    const done: string[] = []
    const time = startWriteTime(50)
    const work = () => Promise.resolve(done.push('given up'))
    let claimed: Promise<unknown> = Promise.resolve()
    const failure = (run: Promise<unknown>) =>
      run.then(
        () => expect.fail('it did not fail'),
        (error: ApiError) => error,
      )
    const answer = await failure(time.within(() => (claimed = claimWork(db, 'trial', work, time))))
    expect(answer.details).to.deep.equal({ outcome: 'not-done' })
    await claims.deleteOne({ _id: 'trial' })
    expect(await failure(claimed)).to.equal(answer)
    await claimWork(db, 'trial', () => Promise.resolve(done.push('next')))
    expect(done).to.deep.equal(['next'])
  })
})
