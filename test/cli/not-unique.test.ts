import { expect } from 'chai'
import { testDatabaseUri } from '../support/database.js'
import { collectLines } from '../support/log-lines.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { startApp } from '../support/start-app.js'
import { folderForEach } from '../support/temporary-folder.js'
import { makeExport } from './import-strapi/make-export.js'

const item = (unique: boolean) => ({
  collectionName: 'components_menu_items',
  info: { displayName: 'Item' },
  attributes: { slug: { type: 'string', unique } },
})
const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    items: { type: 'component', component: 'menu.item', repeatable: true },
  },
}
const schemaOf = (unique: boolean) => ({
  'components/menu/item.json': item(unique),
  'content-types/note.json': note,
})

describe('import of duplicates into unique attributes', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const places = async () => {
    const folder = await makeFolder({ 'schema/.keep': '' })
    const databaseUri = await testDatabaseUri()
    const schemaDir = `${folder}/schema`
    const env = { MONGODB_URI: databaseUri, DATA_DIR: `${folder}/data`, SCHEMA_DIR: schemaDir }
    return { folder, databaseUri, schemaDir, env }
  }
  const run = async (
    args: readonly string[],
    { env, folder }: Readonly<{ env: Readonly<Record<string, string>>; folder: string }>,
  ) => {
    const { code, stderr } = await runQuireInProcess(args, { env, cwd: folder })
    expect(code, stderr).to.equal(0)
  }
  const startAndPost = async (
    { databaseUri, schemaDir }: Readonly<{ databaseUri: string; schemaDir: string }>,
    slug: string,
  ) => {
    const { log, lines } = collectLines()
    const app = await startApp({ databaseUri, schemaDir, log })
    const { token } = app
    const body = { data: { items: [{ slug }] } }
    const { status } = await app.request('POST', '/api/notes', { token, body })
    const list = await app.request('GET', '/api/notes?sort=id&populate=items', { token })
    await app.stop()
    const warned = lines
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .flatMap(({ event, path }) => (event === 'not-unique' ? path : []))
    const { data } = list.body as { data: { items: { slug: string }[] }[] }
    const slugs = data.map(({ items }) => items.map((one) => one.slug).join())
    return { warned, status, slugs }
  }

  it('accepts them in a Strapi export, and the next start warns of each', async () => {
    const place = await places()
    const uid = 'api::note.note'
    const at = '2026-01-01T00:00:00.000Z'
    const row = (
      id: number,
      letter: string,
      slugs: readonly string[],
      publishedAt: string | null,
    ) => ({
      ...{ type: uid, id },
      data: {
        documentId: letter.repeat(24),
        ...{ title: letter, createdAt: at, updatedAt: at, publishedAt, locale: null },
        items: slugs.map((slug, member) => ({ id: id * 10 + member, slug })),
      },
    })
    const file = await makeExport(`${place.folder}/export.tar.gz`, {
      'schemas/s.jsonl': [
        { uid, modelType: 'contentType', ...note },
        { uid: 'menu.item', modelType: 'component', ...item(true) },
      ],
      'entities/e.jsonl': [
        row(1, 'a', ['x', 'y', 'y'], null),
        row(2, 'a', ['x', 'y', 'y'], at),
        row(3, 'b', ['x'], null),
        row(4, 'b', ['x'], at),
      ],
    })
    await run(['import-strapi', file], place)
    expect(await startAndPost(place, 'x')).to.deep.equal({
      warned: ['items.2.slug', 'items.0.slug'],
      status: 400,
      slugs: ['x,y,y', 'x'],
    })
  })

  it('accepts them in a Quire archive, and the next start warns of each', async () => {
    const from = await places()
    const source = {
      databaseUri: from.databaseUri,
      settings: { 'schema.onOlder': 'adopt' },
    } as const
    const app = await startApp({ ...source, schema: schemaOf(false) })
    for (const slug of ['x', 'x', 'y'])
      await app.request('POST', '/api/notes', {
        token: app.token,
        body: { data: { items: [{ slug }] } },
      })
    await app.stop()
    await (await startApp({ ...source, schema: schemaOf(true) })).stop()
    const archive = `${from.folder}/archive.tar.gz`
    await run(['export', archive, '--live'], { ...from, env: { ...from.env, SCHEMA_DIR: '' } })
    const to = await places()
    await run(['import', archive], to)
    expect(await startAndPost(to, 'y')).to.deep.equal({
      warned: ['items.0.slug'],
      status: 400,
      slugs: ['x', 'x', 'y'],
    })
  })
})
