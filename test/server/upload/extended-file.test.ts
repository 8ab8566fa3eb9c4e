import { expect } from 'chai'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const fixed = (type: string, more: object = {}) => ({ type, configurable: false, ...more })

/** Attributes of Strapi's own file type. A project has to copy them when it extends the type. */
const copied = {
  name: fixed('string', { required: true }),
  alternativeText: fixed('text'),
  caption: fixed('text'),
  focalPoint: fixed('json'),
  width: fixed('integer'),
  height: fixed('integer'),
  formats: fixed('json'),
  hash: fixed('string', { required: true }),
  ext: fixed('string'),
  mime: fixed('string', { required: true }),
  size: fixed('decimal', { required: true }),
  url: fixed('text', { required: true }),
  previewUrl: fixed('text'),
  provider: fixed('string', { required: true }),
  provider_metadata: fixed('json'),
  related: fixed('relation', { relation: 'morphToMany' }),
  folder: {
    ...{ type: 'relation', relation: 'manyToOne', target: 'plugin::upload.folder' },
    ...{ inversedBy: 'files', private: true },
  },
  folderPath: { type: 'string', minLength: 1, required: true, private: true, searchable: false },
}

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { picture: { type: 'media', multiple: false } },
  },
  'extensions/upload/content-types/file/schema.json': {
    kind: 'collectionType',
    collectionName: 'files',
    info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
    attributes: {
      ...copied,
      credit: { type: 'string', required: true },
      licence: { type: 'string', default: 'CC0' },
    },
  },
}

describe('file type that a project extends with a copy of the Strapi type', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({ schema, log })
  })
  after(() => app.stop())

  const upload = (fields: Readonly<Record<string, string>> = {}) => {
    const form = new FormData()
    form.append('files', new Blob(['a'], { type: 'text/plain' }), 'a.txt')
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return app.request('POST', '/api/upload', { token: app.token, body: form })
  }

  it('accepts files, and returns the added attributes but no folders', async () => {
    const { status, body, text } = await upload()
    expect(status, text).to.equal(201)
    const [file] = body as readonly [Readonly<Record<string, unknown>>]
    expect(file).to.include({ name: 'a.txt', credit: null, licence: 'CC0' })
    expect(file).not.to.have.any.keys('folder', 'folderPath', 'related')
    const all = await app.request('GET', '/api/upload/files?filters[licence]=CC0', {
      token: app.token,
    })
    expect(all.body).to.deep.equal([file])
  })

  it('rejects added attributes in fileInfo', async () => {
    const { status, body } = await upload({ fileInfo: '{"credit":"Ana"}' })
    expect(status).to.equal(400)
    expect(body).to.have.nested.property('error.message', 'Invalid key credit')
  })

  it('logs that required is ignored on added attributes, and nothing about folders', () => {
    const messages = lines.map((line) => (JSON.parse(line) as { msg?: string }).msg ?? '')
    expect(messages.filter((text) => text.includes('credit'))).to.have.lengthOf(1)
    expect(messages.join('\n')).to.include(
      'attributes.credit.required: is ignored: an upload cannot',
    )
    expect(messages.join('\n')).not.to.match(/folder/)
  })
})
