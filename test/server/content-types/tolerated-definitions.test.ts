import { cp } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { collectLines } from '../../support/log-lines.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { magazineModules } from './magazine-modules.js'
import { makeFolder, removeFolder, writeFiles } from '../../support/temporary-folder.js'

const fixture = fileURLToPath(new URL('../../../../test/fixtures/magazine', import.meta.url))

const story = 'src/api/story/content-types/story/schema.json'
const role = 'src/api/role/content-types/role/schema.json'
const event = 'src/api/event/content-types/event/schema.ts'
const user = 'src/extensions/users-permissions/content-types/user/schema.json'

const expectedWarnings = [
  `${event}: attributes.slug.default: is not a literal, and is ignored (line 14)`,
  'src/extensions/menus/content-types/menu/schema.json: is left out: it extends "plugin::menus.menu", which does not exist',
  `${story}: attributes.createdAt: every entry already has a "createdAt": this attribute is left out`,
  `${story}: attributes.locale: every entry already has a "locale": this attribute is left out`,
  `${story}: attributes.on.default: "now" is the time of each create`,
  `${story}: attributes.at.default: "now" is the time of each create`,
  `${story}: attributes.kind.default: should be one of "news", "essay"; the default is ignored`,
  `${story}: attributes.reading-time: clients must write entry["reading-time"]; use a name such as "reading_time"`,
  `${story}: attributes.2nd_title: clients must write entry["2nd_title"]; use a name such as "x2nd_title"`,
  `${role}: collectionName: entries are stored in "api_roles", because "roles" is a collection of the service`,
  `${role}: options.privateAttributes: there is no attribute "nmae"; did you mean "name"?`,
  'src/components/block/text.json: attributes.id: every entry already has a "id": this attribute is left out',
  `${user}: attributes.favourites.inversedBy: the relation is stored here and has no inverse side: there is no attribute "fans" of api::story.story`,
  `${story}: attributes.editor.mappedBy: the relation is stored here and has no inverse side: there is no attribute "edits" of api::writer.writer`,
  `${story}: attributes.related.mappedBy: the relation is stored here and has no inverse side: there is no attribute "relatedTo" of api::story.story; did you mean "related"?`,
  `${story}: attributes.menu.target: the relation is left out: there is no content-type "plugin::navigation.navigation-item"`,
  `${story}: attributes.blocks.components: it is left out: there is no component "block.gone"`,
]

describe('project with definitions that Strapi tolerates', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  let token: string
  let magazine: string
  before(async () => {
    magazine = await makeFolder({})
    await cp(fixture, magazine, { recursive: true })
    await writeFiles(magazine, magazineModules)
    app = await startApp({ schemaDir: magazine, log })
    token = app.token
  })
  after(async () => {
    await app.stop()
    await removeFolder(magazine)
  })

  const post = async (path: string, data: object) => {
    const { status, body } = await app.request('POST', path, { token, body: { data } })
    expect([status, body]).to.deep.include(201)
    return (body as { data: Readonly<Record<string, unknown>> }).data
  }
  const get = async (path: string) => (await app.request('GET', path, { token })).body

  it('starts, and warns of what is read differently, with file and path', () => {
    const prefix = `${magazine}${path.sep}`
    const warnings = lines
      .map((line) => (JSON.parse(line) as { msg?: string }).msg ?? '')
      .filter(
        (text) => text.startsWith(prefix) && !text.includes('is ignored, because the service'),
      )
    expect(warnings.map((text) => text.slice(prefix.length))).to.have.members(expectedWarnings)
  })

  it('supports attribute names beyond ASCII and letters', async () => {
    const names = { größe: 7, 'reading-time': 3, _legacy: 'a', '2nd_title': 'b' }
    const made = await post('/api/stories', { title: 'Names', ...names })
    expect(made).to.deep.include(names)
    for (const query of [
      `filters[größe][$gt]=6`,
      `filters[gr%C3%B6%C3%9Fe]=7`,
      'filters[reading-time]=3',
      'filters[_legacy]=a',
      'filters[2nd_title][$eq]=b',
    ]) {
      const found = await get(
        `/api/stories?${query}&fields=größe,_legacy,2nd_title&sort=größe:desc`,
      )
      expect(found, query).to.have.nested.property('data[0].größe', 7)
      expect(found, query).to.have.nested.property('data[0].2nd_title', 'b')
      expect(found, query).to.have.nested.property('meta.pagination.total', 1)
    }
  })

  it('keeps the attributes and endpoints of the service itself', async () => {
    const before = Date.now()
    const made = await post('/api/stories', { title: 'Own' })
    expect(Date.parse(String(made['createdAt']))).to.be.within(before - 1000, Date.now() + 1000)
    const body = { data: { title: 'x', createdAt: '2001-01-01' } }
    const refused = await app.request('POST', '/api/stories', { token, body })
    expect(refused.status).to.equal(400)
    expect(await post('/api/roles', { name: 'Lead' })).to.include({ name: 'Lead' })
    expect(await get('/api/users-permissions/roles')).to.have.property('roles')
  })

  it('sets "now" to the time of the create, and drops an invalid default', async () => {
    const before = new Date().toISOString()
    const made = await post('/api/stories', { title: 'Now' })
    const after = new Date().toISOString()
    expect(made['at']).to.satisfy((at: string) => at >= before && at <= after)
    expect([before.slice(0, 10), after.slice(0, 10)]).to.include(made['on'])
    expect(made['kind']).to.equal(null)
  })

  it('stores a relation without an inverse side where it is defined', async () => {
    const writer = await post('/api/writers', { name: 'Ines' })
    const first = await post('/api/stories', { title: 'First', writer: writer['documentId'] })
    await post('/api/stories', {
      ...{ title: 'Second', editor: writer['documentId'] },
      related: [first['documentId']],
    })
    const found = await get(
      '/api/stories?filters[editor][name]=Ines&populate[editor]=true&populate[related]=true',
    )
    expect(found).to.have.nested.property('data[0].title', 'Second')
    expect(found).to.have.nested.property('data[0].editor.name', 'Ines')
    expect(found).to.have.nested.property('data[0].related[0].title', 'First')
    expect(await get('/api/writers?populate=stories')).to.have.nested.property(
      'data[0].stories[0].title',
      'First',
    )
  })

  it('reads .ts and .js definitions, and follows relations to plugin types', async () => {
    const { documentId: place } = await post('/api/places', { name: 'Hall' })
    const made = await post('/api/events', { title: 'Talk', slug: 'talk', place })
    expect(made).to.include({ seats: 10 })
    const refused = await app.request('POST', '/api/events', {
      token,
      body: { data: { title: 'Talk', slug: 'No Slug' } },
    })
    expect(refused.status).to.equal(400)
    const found = await get('/api/places?populate=events')
    expect(found).to.have.nested.property('data[0].events[0].title', 'Talk')
    expect(await get('/api/events?populate=poll')).to.have.nested.property('data[0].poll', null)
    expect((await app.request('GET', '/api/polls', { token })).status).to.equal(404)
    const shown = await get('/api/content-type-builder/content-types/plugin::polls.poll')
    expect(shown).to.have.nested.property('data.plugin', 'polls')
    expect(shown).to.have.nested.property('data.schema.attributes.closed.type', 'boolean')
  })

  it('shows in the content type builder what is served', async () => {
    const shown = await get('/api/content-type-builder/content-types/api::story.story')
    const { attributes } = (shown as { data: { schema: { attributes: object } } }).data.schema
    expect(attributes).to.include.keys('größe', '_legacy', 'editor')
    expect(attributes).not.to.have.any.keys('createdAt', 'locale', 'menu')
  })
})
