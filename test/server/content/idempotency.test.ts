import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import { createOnce } from '../../../server/content/idempotency/create-once.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { errorBody } from '../../support/error-body.js'
import { hastened } from '../../support/later.js'
import type { Answer } from '../../support/request.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

type Entry = Readonly<{ documentId: string; name: string }>

/** Seconds for which a repeated request waits for the first one, before it resumes the create. */
const waitSeconds = 2

describe('Idempotency-Key', () => {
  let app: TestApp
  let other: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    app = await startApp({ databaseUri })
    other = await startApp({ databaseUri })
  })
  after(async () => {
    await app.stop()
    await other.stop()
  })
  beforeEach(async () => {
    for (const name of ['tags', 'tags.draft', '_idempotency'])
      await app.quire.services.db.collection(name).deleteMany({})
  })

  const post = (
    key: string,
    data: unknown,
    { path = '/api/tags', from = app, token = app.token } = {},
  ) => from.request('POST', path, { token, body: { data }, headers: { 'Idempotency-Key': key } })
  const entry = ({ body }: Answer) => (body as { data: Entry }).data
  const count = (name = 'tags.draft') => app.quire.services.db.collection(name).countDocuments({})
  const records = () => app.quire.services.db.collection<{ _id: string }>('_idempotency')

  it('creates once, and returns the created document in its current state', async () => {
    const first = await post('a', { name: 'red' })
    expect([first.status, first.headers.get('Idempotent-Replayed')]).to.deep.equal([201, null])
    const again = await post('a', { name: 'red' })
    expect([again.status, again.headers.get('Idempotent-Replayed')]).to.deep.equal([201, 'true'])
    expect(again.body).to.deep.equal(first.body)
    const { documentId } = entry(first)
    const body = { data: { name: 'crimson' } }
    await app.request('PUT', `/api/tags/${documentId}`, { token: app.token, body })
    expect(entry(await post('a', { name: 'red' }))).to.include({ documentId, name: 'crimson' })
    expect(await count()).to.equal(1)
    await app.request('DELETE', `/api/tags/${documentId}`, { token: app.token })
    expect(await post('a', { name: 'red' })).to.include({ status: 404 })
    expect(await count()).to.equal(0)
  })

  it('returns 422 if the same key comes with another request', async () => {
    await post('a', { name: 'red' })
    const refused = errorBody(
      422,
      'UnprocessableEntityError',
      'This Idempotency-Key was used with another request',
      {},
    )
    expect((await post('a', { name: 'green' })).body).to.deep.equal(refused)
    const path = '/api/tags?status=draft'
    expect((await post('a', { name: 'red' }, { path })).body).to.deep.equal(refused)
    expect(await count()).to.equal(1)
  })

  it('is scoped to its caller, and ignores other query parameters', async () => {
    const first = await post('a', { name: 'red' })
    const path = '/api/tags?fields=name'
    const { documentId, name } = entry(first)
    expect(entry(await post('a', { name: 'red' }, { path }))).to.include({ documentId, name })
    expect(entry(await post('a', { name: 'red' }, { token: other.token })).documentId).not.to.equal(
      documentId,
    )
  })

  it('can be used again after a rejected request', async () => {
    expect(await post('a', { name: 7 })).to.include({ status: 400 })
    expect(await post('a', { name: 'red' })).to.include({ status: 201 })
  })

  it('creates one document for many concurrent requests at two processes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        post('a', { name: 'red' }, { from: at % 2 === 0 ? app : other }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]))
    expect(new Set(answers.map((answer) => entry(answer).documentId)).size).to.equal(1)
    expect([await count(), await count('tags')]).to.deep.equal([1, 1])
  })

  it('completes an interrupted create, whatever part of it was done', async function () {
    const { documentId } = entry(await post('a', { name: 'red' }))
    await records().updateMany({}, { $set: { done: false } })
    const db = app.quire.services.db
    await db.collection('tags').deleteMany({})
    const again = await hastened(waitSeconds, post('a', { name: 'red' }))
    expect(entry(again)).to.include({ documentId, name: 'red' })
    await records().updateMany({}, { $set: { done: false } })
    for (const name of ['tags', 'tags.draft']) await db.collection(name).deleteMany({})
    const third = await hastened(waitSeconds, post('a', { name: 'red' }))
    expect(entry(third)).to.include({ documentId })
    expect([await count(), await count('tags')]).to.deep.equal([1, 1])
  })

  it('returns the document that a second request completed if the first create fails', async () => {
    const client = new MongoClient(databaseUri, { monitorCommands: true })
    try {
      const made: string[] = []
      const attempt = (create: (id: string) => Promise<unknown>, resume = create) =>
        createOnce(client.db(), {
          key: { caller: 'me', key: 'a' },
          fingerprint: {},
          create,
          resume,
        })
      const make = (id: string) => Promise.resolve(made.push(id))
      let refuse = (): void => undefined
      const refused = new Promise<never>((_resolve, reject) => {
        refuse = () => reject(fail('validation', 'This attribute must be unique'))
      })
      refused.catch(() => undefined)
      const freed = new Promise<void>((resolve) => {
        client.on('commandSucceeded', ({ commandName }) => commandName === 'delete' && resolve())
      })
      const first = attempt(() => refused, make)
      await eventually(async () => (await records().countDocuments()) === 1)
      const second = attempt(make, async (id) => {
        made.push(id)
        refuse()
        await freed
      })
      expect(await hastened(waitSeconds, second)).to.deep.equal({
        ...{ documentId: made[0], replayed: true },
      })
      expect(await first).to.deep.equal({ documentId: made[0], replayed: true })
      expect(await attempt(make)).to.deep.equal({ documentId: made[0], replayed: true })
      expect(new Set(made).size).to.equal(1)
    } finally {
      await client.close()
    }
  })

  it('keeps later changes when it completes a create', async function () {
    const { documentId } = entry(await post('a', { name: 'red' }))
    const body = { data: { name: 'crimson' } }
    await app.request('PUT', `/api/tags/${documentId}`, { token: app.token, body })
    await records().updateMany({}, { $set: { done: false } })
    const again = await hastened(waitSeconds, post('a', { name: 'red' }))
    expect(entry(again)).to.include({ documentId, name: 'crimson' })
  })

  it('expires after a day', async () => {
    const { documentId } = entry(await post('a', { name: 'red' }))
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000)
    await records().updateMany({}, { $set: { createdAt: yesterday } })
    const next = await post('a', { name: 'green' })
    expect(next.status).to.equal(201)
    expect(entry(next).documentId).not.to.equal(documentId)
  })

  it('accepts only keys of 1 to 255 visible ASCII characters', async () => {
    for (const key of ['a b', 'x'.repeat(256), '\u00e9'])
      expect((await post(key, { name: 'red' })).body).to.deep.equal(
        errorBody(
          400,
          'BadRequestError',
          'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces',
        ),
      )
    expect(await count()).to.equal(0)
    for (const key of ['!', '~'.repeat(255)])
      expect((await post(key, { name: 'red' })).status, key).to.equal(201)
    expect(await count()).to.equal(2)
  })
})
