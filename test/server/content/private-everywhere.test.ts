import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { loadConfig } from '../../../server/settings/config.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'

const typed = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...more,
})

const project = {
  'package.json': {},
  'config/api.js': `module.exports = { responses: { privateAttributes: ${JSON.stringify([
    ...['createdAt', 'createdBy', 'secret', 'email', 'hash', 'formats', 'id'],
  ])} } }`,
  'src/api/note/content-types/note/schema.json': typed(
    'note',
    {
      ...{ title: { type: 'string' }, secret: { type: 'string' }, own: { type: 'string' } },
      box: { type: 'component', component: 'part.box' },
      writer: {
        ...{ type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user' },
      },
    },
    { options: { draftAndPublish: false, privateAttributes: ['own'] } },
  ),
  'src/components/part/box.json': {
    attributes: { label: { type: 'string' }, secret: { type: 'string' } },
  },
}

describe('project-wide private attributes', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  let folder: string
  before(async () => {
    folder = await makeFolder(project)
    const { settings } = loadConfig({ SCHEMA_DIR: folder }, folder)
    app = await startApp({ schemaDir: folder, settings, log })
    await app.allow('authenticated', ['plugin::users-permissions.user.find'])
    const ana = { username: 'ana', email: 'ana@example.org', password: 'Quire-1234' }
    const made = await app.request('POST', '/api/auth/local/register', { body: ana })
    expect(made.status, made.text).to.equal(200)
    const { user } = made.body as { user: { id: number } }
    const data = {
      ...{ title: 'Rain', secret: 'hidden', own: 'hidden', writer: user.id },
      box: { label: 'A', secret: 'hidden' },
    }
    await app.request('POST', '/api/notes', { token: app.token, body: { data } })
  })
  after(async () => {
    await app.stop()
    await removeFolder(folder)
  })

  const get = (query: string) => app.request('GET', `/api/${query}`, { token: app.token })

  it('are left out of responses with types, components and users', async () => {
    const { status, body, text } = await get('notes?populate=*')
    expect(status, text).to.equal(200)
    const [note] = (body as { data: [Readonly<Record<string, object>>] }).data
    expect(Object.keys(note)).to.deep.equal([
      'id',
      'documentId',
      'title',
      'updatedAt',
      'publishedAt',
      'box',
      'writer',
    ])
    expect(Object.keys(note['box'] ?? {})).to.deep.equal(['id', 'label'])
    expect(note['writer']).to.include({ username: 'ana' })
    expect(text).not.to.match(/hidden|createdAt|ana@/)
    expect((await get('users')).text)
      .to.include('"ana"')
      .and.not.include('ana@')
  })

  it('cannot be selected, sorted or filtered by', async () => {
    for (const query of [
      ...['fields=secret', 'sort=createdAt', 'filters[secret]=hidden', 'filters[own]=hidden'],
      ...['filters[box][secret]=hidden', 'filters[writer][email][$contains]=a'],
    ])
      expect((await get(`notes?${query}`)).status, query).to.equal(400)
  })

  it('cause no warning in a type that lacks them', () => {
    expect(lines.join('\n')).not.to.include('privateAttributes: there is no attribute')
  })

  it('still serve to store, replace and delete files', async () => {
    const picture = await drawPicture('test', 400, 300)
    const form = () => {
      const data = new FormData()
      data.append('files', new Blob([picture], { type: 'image/png' }), 'a.png')
      return data
    }
    const stored = () => storedNames(app.dataDir)
    const send = (method: string, at: string, body?: unknown) =>
      app.request(method, `/api/upload${at}`, { token: app.token, body })
    const made = await send('POST', '', form())
    expect(made.status, made.text).to.equal(201)
    const [file] = made.body as [{ id: number }]
    expect(file).not.to.have.any.keys('hash', 'formats')
    const first = await stored()
    expect(first).to.have.lengthOf(2)
    const replaced = await send('POST', `?id=${file.id}`, form())
    expect(replaced.status, replaced.text).to.equal(200)
    // The previous content is kept for a while after it was replaced.
    const second = await stored()
    expect(second).to.have.lengthOf(4)
    expect(second).to.include.members([...first])
    expect((await send('DELETE', `/files/${file.id}`)).status).to.equal(200)
    expect(await stored()).to.deep.equal(first)
  })
})
