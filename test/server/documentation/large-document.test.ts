import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { fullGrant } from '../../../engine/schema/grant.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { keepDocuments } from '../../../server/documentation/document-memory.js'
import { makeDocument, type OpenApiDocument } from '../../../server/documentation/make-document.js'
import type { View } from '../../../server/documentation/view.js'
import { loadConfig } from '../../../server/settings/config.js'
import { component, contentType, define } from '../../engine/schema/define.js'

const { settings } = loadConfig(
  { JWT_SECRET: 'a secret that is long enough for it', API_TOKEN_SALT: 'salt' },
  tmpdir(),
)
const all: View = {
  ...{ grant: fullGrant, admin: true, fullAccess: true, anonymous: false, format: 'flat' },
}

function magazine(count: number): Registry {
  const scalars = ['string', 'text', 'integer', 'decimal', 'boolean', 'datetime', 'email', 'json']
  const sections = Array.from({ length: 8 }, (_, at) => `section.part${at}`)
  const other = (at: number): string => `api::thing${at % count}.thing${at % count}`
  const types = Array.from({ length: count }, (_, at) =>
    contentType(
      {
        ...Object.fromEntries(scalars.map((type, number) => [`value${number}`, { type }])),
        next: { type: 'relation', relation: 'manyToOne', target: other(at + 1) },
        others: { type: 'relation', relation: 'manyToMany', target: other(at * 7 + 3) },
        cover: { type: 'media', multiple: false },
        seo: { type: 'component', component: sections[at % 8] },
        blocks: { type: 'dynamiczone', components: sections },
      },
      {},
      `thing${at}`,
    ),
  )
  const parts = sections.map((uid) => component(uid, { title: { type: 'string' } }))
  return define(...types, ...parts)
}

describe('OpenAPI document of many content-types', () => {
  const few = magazine(20)
  const many = magazine(200)

  it('is generated in small pieces', () => {
    const longest = (registry: Registry): readonly [pieces: number, ofAll: number, one: number] => {
      const pieces = [...makeDocument({ registry, settings, view: all }, [])]
      const lengths = pieces.map(({ length }) => length)
      return [lengths.length, pieces.join('').length, Math.max(...lengths)]
    }
    const [pieces, ofAll, one] = longest(many)
    expect(ofAll).to.be.greaterThan(3_000_000)
    expect(pieces).to.be.greaterThan(200 * 10)
    // The largest piece is a schema that lists all types whose entries a file can be related to.
    expect(one).to.be.lessThan(100_000)
    expect(longest(few)[1]).to.be.lessThan(ofAll / 5)
  })

  it('yields to other tasks while it is generated', async () => {
    const documents = keepDocuments({ registry: () => many, settings }, () => [])
    let isMade = false
    const made = documents(all).finally(() => {
      isMade = true
    })
    let turns = 0
    while (!isMade) {
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(turns).to.be.greaterThan(10)
    const text = Buffer.from(await (await made).bytes()).toString()
    expect(text).to.equal([...makeDocument({ registry: many, settings, view: all }, [])].join(''))
    expect((JSON.parse(text) as OpenApiDocument).paths).to.include.keys('/api/thing199s')
  })

  it('is cached compressed, and generated once for concurrent requests', async () => {
    let made = 0
    const routes = () => {
      made += 1
      return []
    }
    const documents = keepDocuments({ registry: () => many, settings }, routes)
    const views = [all, { ...all, format: 'v4' } as const]
    const first = await Promise.all([...views, ...views].map(documents))
    expect(made).to.equal(2)
    expect(first[0]).to.equal(first[2])
    expect(first[0]?.etag).to.not.equal(first[1]?.etag)
    expect(await documents(all)).to.equal(first[0])
    expect(made).to.equal(2)
    const [bytes, again] = await Promise.all([first[0]?.bytes(), first[0]?.bytes()])
    expect(bytes).to.equal(again)
    expect(first[0]?.size).to.be.lessThan((bytes?.byteLength ?? 0) / 10)
  })

  it('is not cached if the content-types changed while it was generated', async () => {
    let registry = few
    const documents = keepDocuments({ registry: () => registry, settings }, () => [])
    const begun = documents(all)
    registry = magazine(5)
    const [before, after] = await Promise.all([begun, documents(all)])
    expect(before.etag).to.not.equal(after.etag)
    expect(await documents(all)).to.equal(after)
  })

  it('fails all waiting requests if it cannot be generated, and is generated again for the next', async () => {
    let isBroken = true
    const documents = keepDocuments({ registry: () => few, settings }, () => {
      if (isBroken) throw new Error('no routes')
      return []
    })
    const outcomes = await Promise.allSettled([documents(all), documents(all)])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    isBroken = false
    expect((await documents(all)).size).to.be.greaterThan(0)
  })
})
