import { expect } from 'chai'
import { readSourceFiles } from '../../../scripts/source-files.js'
import type { Watched } from '../../../engine/database/collection-versions.js'
import { versionsOf } from '../../../engine/database/collection-versions.js'
import { startMagazine, type Magazine } from './magazine.js'

describe('collection version', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
  })
  after(() => magazine.app.stop())

  type Numbered = number | undefined
  const readCollections = async (watched: Map<string, Watched>) => {
    const { db } = magazine.app.quire.services
    const versions = versionsOf(db.client)
    const held = new Map<string, Readonly<{ text: string; first: Numbered; last: Numbered }>>()
    for (const { name } of await db.listCollections().toArray()) {
      const numberOf = watched.get(name) ?? versions.watch([name])
      watched.set(name, numberOf)
      // Reads the version numbers before and after the documents, because background work of a response may write in
      // between.
      const first = numberOf()
      const documents = await db.collection(name).find({}).sort({ _id: 1 }).toArray()
      held.set(name, { text: JSON.stringify(documents), first, last: numberOf() })
    }
    return held
  }

  it('changes in every collection that a request writes to', async () => {
    const { app, ids } = magazine
    const data = (data: object) => ({ token: app.token, body: { data } })
    const admin = { token: app.adminJwt }
    const form = new FormData()
    form.append('files', new Blob(['A note'], { type: 'text/plain' }), 'note.txt')
    const role = await app.quire.services.db.collection('roles').findOne({ type: 'authenticated' })
    const user = { username: 'eve', email: 'eve@example.org', password: 'Eve-password-1' }
    const articles = '/api/articles'
    const requests: readonly [string, string, object][] = [
      ['POST', articles, data({ title: 'Hail', tags: [ids['wet']], author: ids['ben'] })],
      ['PUT', `${articles}/${ids['rain']}`, data({ title: 'Rain!', category: ids['nature'] })],
      ['PUT', `${articles}/${ids['rain']}?locale=fr`, data({ title: 'Pluie !' })],
      ['POST', `${articles}/${ids['rain']}/actions/unpublish`, { token: app.token }],
      ['POST', `${articles}/${ids['rain']}/actions/publish`, { token: app.token }],
      ['POST', `${articles}/${ids['rain']}/actions/discard-draft`, { token: app.token }],
      ['DELETE', `/api/tags/${ids['cold']}`, { token: app.token }],
      ['DELETE', `/api/authors/${ids['ana']}`, { token: app.token }],
      [
        'POST',
        '/i18n/locales',
        { ...admin, body: { code: 'de', name: 'German (de)', isDefault: false } },
      ],
      ['POST', '/api/upload', { token: app.token, body: form }],
      ['POST', '/api/users', { token: app.token, body: { ...user, role: role?._id } }],
    ]
    const watched = new Map<string, Watched>()
    const silent: string[] = []
    const written = new Set<string>()
    for (const [method, path, options] of requests) {
      const before = await readCollections(watched)
      const { status, text } = await app.request(method, path, options)
      expect(status, `${method} ${path} ${text}`).to.be.lessThan(400)
      for (const [name, { text, last }] of await readCollections(watched)) {
        const previous = before.get(name)
        if (previous === undefined || previous.text === text) continue
        written.add(name)
        if (previous.first !== undefined && previous.first === last)
          silent.push(`${name} by ${method} ${path}`)
      }
    }
    expect(silent).to.deep.equal([])
    expect([...written]).to.include.members([
      'articles',
      'articles.draft',
      'tags',
      'users',
      'upload_files',
    ])
  })

  it('is tracked by the only module that creates MongoDB clients', () => {
    const makers = readSourceFiles()
      .filter(({ file }) => /^(cli|engine|server|workers|scripts)\//.test(file))
      .filter(({ text }) => /\bnew MongoClient\(|\bMongoClient\.connect\(/.test(text))
      .map(({ file }) => file)
    expect(makers).to.deep.equal(['engine/database/client.ts'])
  })
})
