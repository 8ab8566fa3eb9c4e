import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { Documents, WriteRequest } from '../../../server/content/documents.js'
import { createDocuments } from '../../../server/content/create-documents.js'
import { readSettings } from '../../../server/settings/read-settings.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import type { Written } from '../../../engine/write.js'
import { inlineExecutor } from '../../../workers/executor.js'
import type { Writing } from './start-writing.js'
import { startWriting } from './start-writing.js'

describe('response of a write', () => {
  let writing: Writing
  let client: MongoClient
  let documents: Documents
  let reads: string[] = []
  before(async () => {
    writing = await startWriting()
    client = new MongoClient(writing.uri, { monitorCommands: true, ignoreUndefined: true })
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') reads.push((command as { find: string }).find)
    })
    const db = client.db()
    documents = createDocuments({
      ...{ db, executor: inlineExecutor(db), settings: readSettings({}, {}, []) },
      registry: () => writing.registry,
      locales: () => ({ codes: writing.context.locales, default: 'en', chains: new Map() }),
      exactMetadata: false,
    })
  })
  after(async () => {
    await client.close()
    await writing.stop()
  })

  beforeEach(() => writing.clear())

  const write: WriteRequest = { grant: fullGrant, actor: null, status: 'published' }
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

  /**
   * Returns the response built from the written version (`direct`), the one read from the database (`read`), and how
   * many reads the first saves (`fewer`).
   */
  const answers = async (name: string, search: string, written: Written) => {
    const request = { search, grant: fullGrant, envelope: 'content' } as const
    const answer = documents.prepareAnswer(writing.type(name), request)
    const key = { documentId: written.documentId }
    reads = []
    const direct = text((await answer.of(key, written.stored)).bytes)
    const { length } = reads
    const read = text((await answer.of(key)).bytes)
    return { direct, read, fewer: reads.length - 2 * length }
  }

  const everything = async () => {
    const author = await documents.create(writing.type('author'), { name: 'Ana' }, write)
    return {
      title: 'ä "quoted" \u2028',
      slug: 'a',
      views: 7,
      big: '9007199254740993',
      price: '12345678901234567890.123',
      meta: { z: [1, 2.5, -0, 1e21, null, { a: true }], b: 'x' },
      kind: 'guide',
      author: author.documentId,
      seo: { title: 's', links: [{ label: 'l' }, { label: 'm', rank: 3, to: author.documentId }] },
      sections: [{ __component: 'shared.link', label: 'zone' }],
    }
  }

  for (const search of ['', 'populate=*', 'fields=title&populate=author,seo.links.to'])
    it(`equals the response of a GET, with one read less: ?${search}`, async () => {
      const type = writing.type('article')
      const created = await documents.create(type, await everything(), write)
      const first = await answers('article', search, created)
      expect(first.direct).to.equal(first.read)
      expect(first.fewer).to.equal(1)
      const { documentId } = created
      const updated = await documents.update(type, documentId, { views: 8, price: null }, write)
      expect(updated.stored).to.be.instanceOf(Uint8Array)
      const second = await answers('article', search, updated)
      expect(second.direct).to.equal(second.read)
      expect(second.fewer).to.equal(1)
    })

  it('is read from the database if several steps wrote the version', async () => {
    const type = writing.type('article')
    const { documentId } = await documents.create(type, { title: 'a', views: 1 }, write)
    // After it has stored a version in a new locale, the write reads the shared values of the other versions again.
    const french = { ...write, locale: 'fr' }
    const written = await documents.update(type, documentId, { title: 'b' }, french)
    expect(written.stored).to.equal(undefined)
  })

  it('contains the draft if the request has status=draft', async () => {
    const type = writing.type('article')
    const request = { ...write, status: 'draft' } as const
    const written = await documents.create(type, await everything(), request)
    const { direct, read, fewer } = await answers('article', 'status=draft&populate=*', written)
    expect(direct).to.equal(read)
    expect(fewer).to.equal(1)
  })
})
