import { createId } from '../../../engine/values/create-id.js'
import { expect } from 'chai'
import type { Document } from 'mongodb'
import { MongoClient } from 'mongodb'
import type { Finding, AffectedData } from '../../../engine/repair.js'
import { repairContent, repairAffected } from '../../../engine/repair.js'
import type { WriteContext } from '../../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../../engine/write.js'
import { builtIn } from '../../../engine/schema/registry.js'
import { isReplicaSet } from '../../support/database-server.js'
import type { Writing } from '../write/start-writing.js'
import { draft, inLocale, published, startWriting } from '../write/start-writing.js'
import { pausedAt, Stopped, stoppedAt } from '../write/stepping.js'
import { contentType, relation } from '../write/model.js'
import { repairModel } from './repair-model.js'

describe('repairAffected', () => {
  let writing: Writing
  let affected: AffectedData[]
  before(async () => {
    writing = await startWriting(repairModel, { transactions: false })
  })
  after(() => writing.stop())
  beforeEach(async () => {
    affected = []
    await writing.clear()
  })

  const journaling = (context: WriteContext = writing.context): WriteContext => ({
    ...context,
    journal: { add: (one) => `${createId()} ${affected.push(one)}` },
  })
  const create = async (name: string, data: unknown, scope = published) =>
    (await createDocument(journaling(), writing.type(name), scope, data)).documentId
  const options = (repairs: boolean, findings: Finding[], db = writing.db) => ({
    ...{ db, registry: writing.registry, repairs },
    found: (finding: Finding) => void findings.push(finding),
  })
  const repair = async (repairs = true, db = writing.db) => {
    const findings: Finding[] = []
    await repairAffected(options(repairs, findings, db), affected)
    return findings.map(({ kind }) => kind).sort()
  }
  const isInOrder = async () => {
    const findings: Finding[] = []
    await repairContent(options(false, findings))
    return findings.length === 0
  }
  const cutOff = async (at: number, write: (context: WriteContext) => Promise<unknown>) => {
    const context = journaling({ ...writing.context, db: stoppedAt(writing.db, at).db })
    await write(context).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error
    })
  }
  const remove = (context: WriteContext, name: string, id: string) =>
    deleteDocument(context, writing.type(name), id, published)

  const leaveAllKinds = async () => {
    const { type, context } = writing
    const [removed, deleted] = [await create('label', {}), await create('label', {})]
    const [hidden, taken] = [await create('label', {}), await create('label', {})]
    const owned = await create('label', {})
    const album = await create('album', { labels: [removed, deleted], parts: [taken] })
    const post = await create('post', { views: 1 })
    await updateDocument(context, type('post'), post, inLocale('fr'), {})
    await updateDocument(context, type('label'), owned, draft, { albums: [album] })
    affected = []
    await cutOff(1, (half) => remove(half, 'label', removed))
    await cutOff(2, (half) => remove(half, 'label', deleted))
    await cutOff(1, (half) => actOnDocument(half, type('label'), hidden, published, 'unpublish'))
    await cutOff(2, (half) => actOnDocument(half, type('label'), owned, published, 'publish'))
    await cutOff(2, (half) => createDocument(half, type('album'), published, { parts: [taken] }))
    await cutOff(2, (half) =>
      updateDocument(half, type('post'), post, inLocale('fr'), { views: 2 }),
    )
  }
  const kinds = [
    ...['locales-differ', 'locales-differ'],
    ...['missing-target', 'missing-target', 'missing-target', 'missing-target'],
    ...['published-without-draft', 'two-owners', 'two-owners', 'unfinished-publish', 'withdrawn'],
  ]
  const fill = async (count: number) => {
    const fillings: Readonly<Record<string, (at: number) => Document>> = {
      label: () => ({}),
      post: (at) => ({ locale: at % 2 === 0 ? 'en' : 'fr', views: 1, _stamps: { views: 1 } }),
      album: (at) => ({
        parts: [{ documentId: `label${at}`, order: at }],
        _refs: [`parts:label${at}`],
      }),
    }
    for (const [name, make] of Object.entries(fillings))
      for (const collection of [`${name}s.draft`, `${name}s`]) {
        const entries = Array.from({ length: count }, (_, at) => ({
          ...{ _id: 1_000_000 + at, documentId: `${name}${at}`, locale: null, _revision: 1 },
          ...{ _publishedFrom: 1, ...make(at) },
        }))
        await writing.db.collection<Document & { _id: number }>(collection).insertMany(entries)
      }
  }

  it('finds and repairs everything that an interrupted write can leave behind', async () => {
    await leaveAllKinds()
    expect(await repair(false)).to.deep.equal(kinds)
    expect(await repair()).to.deep.equal(kinds)
    expect(await isInOrder()).to.equal(true)
    expect(await repair()).to.deep.equal([])
  })

  it('examines as many documents in a large database as in a small one', async () => {
    const client = new MongoClient(writing.uri, { monitorCommands: true })
    const commands: Document[] = []
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find' || commandName === 'aggregate') commands.push(command)
    })
    const costOfCheck = async () => {
      await leaveAllKinds()
      commands.length = 0
      expect(await repair(false, client.db(writing.db.databaseName))).to.deep.equal(kinds)
      let documents = 0
      for (const command of commands.slice()) documents += await examined(command)
      return { commands: commands.length, documents }
    }
    const examined = async (command: Document): Promise<number> => {
      const explainable = Object.fromEntries(
        Object.entries(command).filter(([key]) => key !== 'lsid' && !key.startsWith('$')),
      )
      const explained = await writing.db.command({
        explain: explainable,
        verbosity: 'executionStats',
      })
      return Math.max(...numbersAt(explained, 'totalDocsExamined'))
    }
    try {
      await fill(100)
      const small = await costOfCheck()
      expect(small.documents).to.be.within(10, 100)
      await writing.clear()
      await fill(3_000)
      expect(await costOfCheck()).to.deep.equal(small)
    } finally {
      await client.close()
    }
  })

  const german: AffectedData = {
    uid: builtIn.locale,
    documentId: 'german',
    lists: [],
    locale: 'de',
  }
  const isConfigured = (...codes: readonly string[]) =>
    writing.db
      .collection<Document & { _id: number }>('locales')
      .insertMany(codes.map((code, at) => ({ _id: at + 1, documentId: code, locale: null, code })))
  const inGerman = async () =>
    [await writing.stored('posts.draft'), await writing.stored('posts')].map(
      (versions) => versions.filter(({ locale }) => locale === 'de').length,
    )

  for (const at of [1, 2, 3])
    it(`removes the version that a writer stored in a deleted locale if it was killed after ${at} steps`, async () => {
      const label = await create('label', {})
      const post = await create('post', { views: 1 })
      const data = { zone: [{ __component: 'shared.link', to: label }] }
      const answers = [true, false]
      const write = (context: WriteContext) => {
        const deleted = { ...context, holdsLocale: () => Promise.resolve(answers.shift() ?? false) }
        return updateDocument(deleted, writing.type('post'), post, inLocale('de'), data)
      }
      await cutOff(at, write)
      expect((await inGerman()).reduce((sum, count) => sum + count)).to.be.greaterThan(0)
      await isConfigured('en', 'fr')
      affected = [german]
      expect(new Set(await repair(false))).to.deep.equal(new Set(['without-locale']))
      await repair()
      expect(await inGerman()).to.deep.equal([0, 0])
      expect(await isInOrder()).to.equal(true)
      expect(await writing.stored('posts.draft')).to.have.lengthOf(1)
    })

  it('removes references to documents that disappear with a deleted locale', async () => {
    const other = await startWriting(
      [
        contentType('post', {}, { localized: true }),
        contentType('album', { post: relation('oneToOne', 'post') }),
      ],
      { transactions: false },
    )
    try {
      const { db, registry, context, type } = other
      const { documentId } = await createDocument(context, type('post'), inLocale('de'), {})
      const refers = { post: { documentId, order: 1 }, _refs: [`post:${documentId}`] }
      const album = { _id: 1, documentId: 'album', locale: null, _revision: 1, ...refers }
      await db.collection<Document & { _id: number }>('albums').insertOne(album)
      await db.collection('locales').insertOne({ code: 'en' })
      const findings: Finding[] = []
      await repairAffected({ ...options(true, findings, db), registry }, [german])
      expect(findings.map(({ kind }) => kind)).to.deep.equal(['without-locale', 'missing-target'])
      expect((await other.stored('albums'))[0]).to.include({ post: null })
    } finally {
      await other.stop()
    }
  })

  it('keeps versions of a recreated locale, and leaves those of an unknown locale to a person', async () => {
    await create('post', {}, inLocale('de'))
    await isConfigured('en', 'de')
    affected = [german]
    expect(await repair()).to.deep.equal([])
    await writing.db.collection('locales').deleteOne({ code: 'de' })
    const findings: Finding[] = []
    await repairContent(options(true, findings))
    expect(findings.map(({ kind, repaired }) => [kind, repaired])).to.deep.equal([
      ['without-locale', false],
      ['without-locale', false],
    ])
    expect(await inGerman()).to.deep.equal([1, 1])
  })

  it('has nothing to check after writes that leave nothing behind', async () => {
    const album = await create('album', { name: 'a' })
    await updateDocument(journaling(), writing.type('album'), album, published, { name: 'b' })
    const post = await create('post', { views: 1 })
    await updateDocument(journaling(), writing.type('post'), post, published, { views: 2 })
    expect(affected).to.deep.equal([])
  })

  it('removes a reference that was saved while its target was deleted', async () => {
    const label = await create('label', {})
    const paused = pausedAt(writing.db, (step) => step.startsWith('albums.draft insert'))
    const data = { labels: [label] }
    const saved = createDocument(
      journaling({ ...writing.context, db: paused.db }),
      writing.type('album'),
      published,
      data,
    )
    await paused.reached
    await remove(journaling(), 'label', label)
    paused.go()
    await saved
    expect(await repair()).to.deep.equal(['missing-target', 'missing-target'])
    expect(await isInOrder()).to.equal(true)
  })

  const withdrawals = {
    'deletes it': (context: WriteContext, id: string) => remove(context, 'label', id),
    'unpublishes it': (context: WriteContext, id: string) =>
      actOnDocument(context, writing.type('label'), id, published, 'unpublish'),
  }
  for (const [name, withdraw] of Object.entries(withdrawals))
    it(`removes a version that one process published in steps while a transaction ${name}`, async function () {
      if (!isReplicaSet()) return this.skip()
      const label = await create('label', {}, draft)
      const publishing = pausedAt(writing.db, (step) => step.startsWith('labels insert'))
      const publish = actOnDocument(
        journaling({ ...writing.context, db: publishing.db }),
        ...([writing.type('label'), label, published, 'publish'] as const),
      )
      await publishing.reached
      const other = writing.db.client.db(writing.db.databaseName)
      const withdrawing = pausedAt(other, (step) => step.startsWith('labels delete'))
      const withdrawn = withdraw(
        journaling({ ...writing.context, db: withdrawing.db, transactions: true }),
        label,
      )
      await withdrawing.reached
      publishing.go()
      await publish
      withdrawing.go()
      await withdrawn
      expect(await writing.stored('labels')).to.have.lengthOf(1)
      expect(await repair()).to.have.lengthOf(1)
      expect(await writing.stored('labels')).to.deep.equal([])
      expect(await isInOrder()).to.equal(true)
    })
})

function numbersAt(value: unknown, name: string): readonly number[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [Number(inner)] : numbersAt(inner, name),
  )
}
