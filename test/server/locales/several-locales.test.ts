import { expect } from 'chai'
import { createDocument, updateDocument } from '../../../engine/write.js'
import { testDatabaseUri } from '../../support/database.js'
import { sideBySide } from '../../support/side-by-side.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { contentType, i18n, relation } from '../../engine/write/model.js'
import { inLocale, published, refusal, startWriting } from '../../engine/write/start-writing.js'
import { pausedAt } from '../../engine/write/stepping.js'

const post = contentType(
  'post',
  { title: { type: 'string', pluginOptions: i18n } },
  { drafts: true, localized: true },
)

type Locale = Readonly<{ id: number; code: string; isDefault: boolean }>

describe('locales changed by two processes at the same time', function () {
  this.timeout(120_000)
  let apps: readonly TestApp[]
  before(async () => {
    const databaseUri = await testDatabaseUri()
    const schema = { 'content-types/post.json': post.definition }
    apps = [await startApp({ databaseUri, schema }), await startApp({ databaseUri, schema })]
  })
  after(async () => {
    for (const app of apps) await app.stop()
  })

  const asAdmin = (at: number, method: string, path: string, body?: object) => {
    const app = apps[at % 2] as TestApp
    const sent = body === undefined ? {} : { body }
    return app.request(method, `/i18n/locales${path}`, { token: app.adminJwt, ...sent })
  }
  const list = async (at = 0) => (await asAdmin(at, 'GET', '')).body as readonly Locale[]
  const add = async (code: string) => {
    const body = { code, name: code, isDefault: false }
    return (await asAdmin(0, 'POST', '', body)).body as Locale
  }
  const everywhere = async (code: string, isThere: boolean) => {
    for (const { quire } of apps)
      while (quire.services.locales().codes.has(code) !== isThere)
        await new Promise((resolve) => setTimeout(resolve, 20))
  }

  it('always have one default', async () => {
    const ids = [(await list())[0]?.id ?? 0, (await add('fr')).id, (await add('de')).id]
    for (let round = 0; round < 10; round += 1) {
      const set = ids.map((id, at) => asAdmin(at, 'PUT', `/${id}`, { isDefault: true }))
      expect((await Promise.all(set)).map(({ status }) => status)).to.deep.equal([200, 200, 200])
      const shown = [await list(0), await list(1)]
      for (const locales of shown)
        expect(locales.filter(({ isDefault }) => isDefault)).to.have.length(1)
      expect(shown[0]).to.deep.equal(shown[1])
    }
    await asAdmin(0, 'PUT', `/${ids[0]}`, { isDefault: true })
  })

  it('undo a write if its locale was deleted meanwhile', async () => {
    const writing = await startWriting([post])
    try {
      for (const collection of ['posts.draft', 'posts'])
        for (const isJoining of [false, true]) {
          const { context, type } = writing
          // The version is inserted in a write of its own, or in a transaction with other writes.
          const steps = [`${collection} insertOne`, `${collection} bulkWrite`]
          const deletedCodes = new Set<string>()
          const { db, reached, go } = pausedAt(writing.db, (one) => steps.includes(one))
          const holdsLocale = (code: string) => Promise.resolve(!deletedCodes.has(code))
          const writer = { ...context, db, holdsLocale }
          const first = isJoining
            ? (await createDocument(context, type('post'), published, { title: 'en' })).documentId
            : undefined
          const write =
            first === undefined
              ? createDocument(writer, type('post'), inLocale('fr'), { title: 'fr' })
              : updateDocument(writer, type('post'), first, inLocale('fr'), { title: 'fr' })
          const refused = refusal(write)
          await reached
          deletedCodes.add('fr')
          go()
          expect(await refused).to.include({
            ...{ status: 400, message: 'The locale "fr" has been deleted, or is being deleted' },
          })
          for (const name of ['posts.draft', 'posts'])
            expect((await writing.stored(name)).map(({ locale }) => String(locale))).to.deep.equal(
              isJoining ? ['en'] : [],
            )
          await writing.clear()
        }
    } finally {
      await writing.stop()
    }
  })

  it('undo a write that changed its own revision again, or report it as done if it stays', async () => {
    const mark = relation('oneToOne', 'mark', { inversedBy: 'post' })
    const marked = contentType(
      'post',
      { title: { type: 'string', pluginOptions: i18n }, mark },
      { drafts: true, localized: true },
    )
    const writing = await startWriting([
      marked,
      contentType('mark', { post: relation('oneToOne', 'post', { mappedBy: 'mark' }) }),
    ])
    try {
      const { context, type } = writing
      const target = (await createDocument(context, type('mark'), published, {})).documentId
      const { documentId: first } = await createDocument(context, type('post'), inLocale('fr'), {
        ...{ title: 'first', mark: target },
      })
      /** Returns a context whose locale is deleted during the write. */
      const duringDeletion = () => {
        let calls = 0
        return { ...context, holdsLocale: () => Promise.resolve((calls += 1) === 1) }
      }
      const message = 'The locale "fr" has been deleted, or is being deleted'
      // The relation `mark` is connected in a later step, separate from storing the versions. By then, nothing can
      // reject the write.
      const create = { title: 'second', mark: target }
      expect(
        await refusal(createDocument(duringDeletion(), type('post'), inLocale('fr'), create)),
      ).to.include({ status: 400, message })
      const titles = async () =>
        [...(await writing.stored('posts.draft')), ...(await writing.stored('posts'))].map(
          ({ title }) => String(title),
        )
      expect(await titles()).to.deep.equal(['first', 'first'])

      const update = updateDocument(duringDeletion(), type('post'), first, inLocale('fr'), {
        title: 'new',
      })
      const refused = await refusal(update)
      expect(refused).to.include({ status: 400, message: `The write was done, but: ${message}` })
      expect(refused.details).to.deep.equal({ outcome: 'done' })
      expect(await titles()).to.deep.equal(['new', 'new'])
    } finally {
      await writing.stop()
    }
  })

  // The tests mostly wait: after a deletion, until all instances have read the locales again.
  describe('during a deletion', () => {
    const it = sideBySide()

    it('keep a default if a locale becomes it while it is deleted', async () => {
      const { id } = await add('nl')
      await everywhere('nl', true)
      const [deleted, made] = await Promise.all([
        asAdmin(0, 'DELETE', `/${id}`),
        asAdmin(1, 'PUT', `/${id}`, { isDefault: true }),
      ])
      const locales = await list()
      const chosen = locales.filter(({ isDefault }) => isDefault).map(({ code }) => code)
      if (made.status === 200) expect(deleted.status).to.equal(400)
      expect(chosen).to.deep.equal([made.status === 200 ? 'nl' : 'en'])
      await asAdmin(0, 'PUT', `/${locales.find(({ code }) => code === 'en')?.id}`, {
        isDefault: true,
      })
    })

    it('leave a record for one more search for entries after a deletion', async () => {
      const { id } = await add('sv')
      expect((await asAdmin(0, 'DELETE', `/${id}`)).status).to.equal(200)
      const underway = apps[0]?.quire.services.db.collection('_underway')
      expect(await underway?.countDocuments({ locale: 'sv' })).to.equal(1)
    })

    it('show every acknowledged document that was created while its locale was deleted', async () => {
      const deleteWhileWriting = async (code: string, round: number): Promise<void> => {
        const { id } = await add(code)
        await everywhere(code, true)
        const made: string[] = []
        let isDeleting = true
        const writers = Array.from({ length: 4 }, async (_, at) => {
          for (let count = 0; isDeleting && count < 200; count += 1) {
            const app = apps[at % 2] as TestApp
            const body = { data: { title: `${count}` } }
            const path = `/api/posts?locale=${code}`
            const answer = await app.request('POST', path, { token: app.token, body })
            if (answer.status === 201)
              made.push((answer.body as { data: { documentId: string } }).data.documentId)
            else expect(answer.status).to.equal(400)
            await new Promise((resolve) => setTimeout(resolve, 10))
          }
        })
        const deleted = await asAdmin(round, 'DELETE', `/${id}`)
        isDeleting = false
        await Promise.all(writers)
        expect(deleted.status).to.be.oneOf([200, 400])
        if (deleted.status === 200) expect(made).to.deep.equal([])
        const { db } = (apps[0] as TestApp).quire.services
        if (deleted.status === 200)
          for (const name of ['posts', 'posts.draft'])
            expect(await db.collection(name).countDocuments({ locale: code })).to.equal(0)
        const [app] = apps as [TestApp]
        for (const documentId of made) {
          const path = `/api/posts/${documentId}?locale=${code}`
          expect((await app.request('GET', path, { token: app.token })).status).to.equal(200)
        }
      }
      await Promise.all(['it', 'es', 'pt'].map(deleteWhileWriting))
    })
  })
})
