import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { linkEnd } from '../../../server/upload/signature.js'
import { signLink } from '../../support/sign-link.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const schema = {
  'components/shared/part.json': {
    info: { displayName: 'part' },
    attributes: { text: { type: 'blocks' } },
  },
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
    options: { draftAndPublish: false },
    attributes: {
      body: { type: 'blocks' },
      free: { type: 'json' },
      part: { type: 'component', component: 'shared.part' },
      zone: { type: 'dynamiczone', components: ['shared.part'] },
    },
  },
}
// The links are valid for a year, so that none expires while the tests run.
const settings = { 'upload.private': true, 'upload.linkExpiresInS': 31_536_000 } as const

type Note = Readonly<{ documentId: string; body: unknown }>

describe('private file whose URL is written into blocks', () => {
  let app: TestApp
  let key: string
  let link: string
  let plain: string
  /** A signed URL that has already expired. */
  let ended: string
  before(async () => {
    app = await startApp({ schema, settings })
    await app.allow('public', ['find', 'findOne', 'create', 'update'].map((verb) => `api::note.note.${verb}`)) // prettier-ignore
    const secrets = app.quire.services.db.collection<{ _id: string; uploadSigningKey: string }>(
      '_settings',
    )
    key = (await secrets.findOne({ _id: 'secrets' }))?.uploadSigningKey ?? ''
    const form = new FormData()
    form.append('files', new Blob([await drawPicture('test', 30, 20)]), 'a.png')
    const { body } = await app.request('POST', '/api/upload', { token: app.token, body: form })
    link = (body as readonly [{ url: string }])[0].url
    plain = link.split('?')[0] ?? ''
    ended = `${plain}?${signLink(key, plain.replace('/uploads/', ''), { expires: '1000000000' })}`
  })
  after(() => app.stop())

  const image = (url: string, more: object = {}) => ({
    ...{ type: 'image', image: { url, ...more }, children: [{ type: 'text', text: '' }] },
  })
  /**
   * Creates a note. Without a token, the caller has the permissions of the public role: to write notes, but not to read
   * files.
   */
  const create = async (data: object, token?: string) => {
    const sent = token === undefined ? {} : { token }
    const answer = await app.request('POST', '/api/notes?populate=*', { ...sent, body: { data } })
    expect(answer.status, answer.text).to.equal(201)
    return (answer.body as { data: Note }).data
  }
  const update = async ({ documentId }: Note, data: object, token?: string) => {
    const sent = token === undefined ? {} : { token }
    const path = `/api/notes/${documentId}?populate=*`
    const answer = await app.request('PUT', path, { ...sent, body: { data } })
    expect(answer.status, answer.text).to.equal(200)
    return (answer.body as { data: Note }).data
  }
  const unproven = () => `${plain}#unproven`
  const isServed = async (url: string) => (await fetch(`${app.url}${url}`)).status === 200

  it('is not signed if the writer knows only its name or an expired link', async () => {
    for (const url of [plain, ended, `${plain}?expires=9999999999&signature=${'x'.repeat(32)}`]) {
      const versions = { small: { url }, large: { url, formats: [{ url }] } }
      const body = [
        image(url),
        image(url, { formats: versions }),
        image('/uploads/', { formats: [{ url }] }),
      ]
      const data = {
        ...{ body, part: { text: body }, zone: [{ __component: 'shared.part', text: body }] },
      }
      const note = await create(data)
      const expected = [
        image(unproven()),
        image(unproven(), {
          formats: {
            small: { url: unproven() },
            large: { url: unproven(), formats: [{ url: unproven() }] },
          },
        }),
        image('/uploads/', { formats: [{ url: unproven() }] }),
      ]
      const read = await app.request('GET', `/api/notes/${note.documentId}?populate=*`)
      for (const { part, zone, ...shown } of [note, (read.body as { data: Note }).data] as (Note & {
        part: { text: unknown }
        zone: [{ text: unknown }]
      })[])
        expect([shown.body, part.text, zone[0].text]).to.deep.equal([expected, expected, expected])
      expect(await isServed(unproven())).to.equal(false)
    }
  })

  it('is signed if the writer sends a valid link', async () => {
    const note = await create({ body: [image(link)] })
    expect(note.body).to.deep.equal([image(link)])
    expect(await isServed(link)).to.equal(true)
  })

  it('is signed if the writer may read all files, whatever URL they send', async () => {
    for (const url of [plain, ended, link])
      expect((await create({ body: [image(url)] }, app.token)).body).to.deep.equal([image(link)])
  })

  it('stays signed while the entry contains it, even if the sent link has expired', async () => {
    const note = await create({ part: { text: [image(plain)] } }, app.token)
    const moved = await update(note, { body: [image(ended)], part: null })
    expect(moved).to.deep.include({ body: [image(link)], part: null })
    const without = await update(note, { body: [] })
    expect(without.body).to.deep.equal([])
    expect((await update(note, { body: [image(ended)] })).body).to.deep.equal([image(unproven())])
  })

  it('is not signed if the entry contains its URL only unsigned or outside image blocks', async () => {
    const text = { type: 'paragraph', children: [{ type: 'text', text: plain }], url: plain }
    const note = await create({ body: [text, image(plain)], free: [image(plain)] })
    for (let turn = 0; turn < 2; turn++)
      expect((await update(note, { body: [image(plain)] })).body).to.deep.equal([image(unproven())])
  })

  it('stays unsigned if a caller who may read files sends the blocks back', async () => {
    const note = await create({ body: [image(plain)] })
    expect((await update(note, { body: note.body }, app.token)).body).to.deep.equal(note.body)
    expect(note.body).to.deep.equal([image(unproven())])
  })

  it('is signed for the public role if that may read files', async () => {
    await app.allow('public', ['plugin::upload.content-api.findOne'])
    const note = await create({ body: [image(plain)] })
    expect(note.body).to.deep.equal([image(link)])
    const [, search = ''] = link.split('?')
    const name = plain.replace('/uploads/', '')
    expect(linkEnd(key, name, search, new Date())).to.be.instanceOf(Date)
  })
})
