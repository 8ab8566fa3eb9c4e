import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { folderForEach } from '../../support/temporary-folder.js'

const types = ['page', 'home'] as const
const attributes = [
  ...(['details', 'frame', 'frames', 'zone', 'about', 'author', 'pages', 'cover', 'slug'] as const),
  ...(['label', 'subject', 'inner', 'remark'] as const),
]
type Key = (typeof types)[number] | (typeof attributes)[number]
const keys: readonly Key[] = [...types, ...attributes]
type Named = Readonly<{ name: string; from?: string }>
type Names = Readonly<Record<Key, Named>>

const first = Object.fromEntries(keys.map((key) => [key, { name: key }])) as Names
/** Adds a letter to some names. Definitions keep the previous names in `renamedFrom`. */
const rename = (names: Names, letter: string, some: readonly Key[] = keys): Names => {
  const renamed = some.map((key) => {
    const { name } = names[key]
    return [key, { name: `${name}${letter}`, from: name }] as const
  })
  return { ...names, ...(Object.fromEntries(renamed) as Partial<Names>) }
}

const uid = (name: string): string => `api::${name}.${name}`
const text = { type: 'string' }

const filesOf = (names: Names, details: object = {}): Readonly<Record<string, object>> => {
  const own = (all: Readonly<Partial<Record<Key | 'title' | 'raw', object>>>) =>
    Object.fromEntries(
      Object.entries(all).map(([key, attribute]) => {
        if (key === 'title' || key === 'raw') return [key, attribute]
        const { name, from } = names[key as Key]
        return [name, { ...attribute, ...(from !== undefined && { renamedFrom: from }) }]
      }),
    )
  const type = (kind: string, { name, from }: Named, given: object) => ({
    [`content-types/${name}.json`]: {
      ...{ kind, collectionName: `${name}s`, options: { draftAndPublish: true } },
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      ...(from !== undefined && { renamedFrom: uid(from) }),
      attributes: given,
    },
  })
  const frame = { type: 'component', component: 'shared.frame' }
  const relation = (kind: string, more: object = {}) => ({
    ...{ type: 'relation', relation: kind, ...more },
  })
  return {
    'components/shared/deep.json': { attributes: own({ remark: text }) },
    'components/shared/frame.json': {
      attributes: own({
        ...{ label: text, raw: { type: 'json' }, subject: relation('morphToOne') },
        inner: { type: 'component', component: 'shared.deep' },
      }),
    },
    ...type(
      'collectionType',
      names.page,
      own({
        ...{
          title: text,
          details: { ...text, ...details },
          frame,
          frames: { ...frame, repeatable: true },
        },
        zone: { type: 'dynamiczone', components: ['shared.frame'] },
        about: relation('morphToMany'),
        author: relation('manyToOne', {
          ...{ target: uid('author'), inversedBy: names.pages.name },
        }),
        cover: { type: 'media', multiple: false },
        slug: { type: 'uid', targetField: names.details.name },
      }),
    ),
    ...type('singleType', names.home, { title: text }),
    ...type(
      'collectionType',
      { name: 'author' },
      {
        title: text,
        ...own({
          pages: relation('oneToMany', {
            ...{ target: uid(names.page.name), mappedBy: names.author.name },
          }),
        }),
      },
    ),
  }
}

type Entry = Readonly<{ id: number; documentId: string }>

describe('quire import into renamed definitions', function () {
  this.timeout(180_000)
  const makeFolder = folderForEach()
  const provider = { UPLOAD_PROVIDER: 'gridfs' }

  const openPlace = async () => {
    const folder = await makeFolder({})
    const databaseUri = await testDatabaseUri()
    let schemaDir = ''
    return {
      folder,
      define: async (names: Names, details?: object): Promise<void> => {
        schemaDir = await makeFolder(filesOf(names, details))
      },
      serve: async <T>(task: (app: TestApp) => Promise<T>): Promise<T> => {
        const app = await startApp({ databaseUri, schemaDir, environment: provider })
        try {
          return await task(app)
        } finally {
          await app.stop()
        }
      },
      run: (...args: readonly string[]) => {
        const env = { MONGODB_URI: databaseUri, DATA_DIR: `${folder}/data`, SCHEMA_DIR: schemaDir }
        return runQuireInProcess(args, { env: { ...env, ...provider }, cwd: folder })
      },
      /** Changes the database as if the import had been killed while it replaced the definitions. */
      cutOff: async (): Promise<void> => {
        const client = new MongoClient(databaseUri)
        const change = { stage: 'clearing', at: 0 }
        await client.db().collection('_imports').updateOne({}, { $set: change })
        await client.db().collection('_schemas').deleteMany({})
        await client.close()
      },
    }
  }
  type Place = Awaited<ReturnType<typeof openPlace>>

  const fill = async ({ request, token, allow, quire }: TestApp): Promise<void> => {
    const send = async (method: string, path: string, data: object): Promise<Entry> => {
      const { status, body } = await request(method, `/api/${path}`, { token, body: { data } })
      expect(status, JSON.stringify(body)).to.be.below(300)
      return (body as Readonly<{ data: Entry }>).data
    }
    const form = new FormData()
    form.append('files', new Blob(['a text']), 'cover.txt')
    const uploaded = await request('POST', '/api/upload', { token, body: form })
    const [file] = uploaded.body as readonly Entry[]
    const { documentId: author } = await send('POST', 'authors', { title: 'Ada' })
    const { documentId: other } = await send('POST', 'pages', { title: 'Other' })
    const { documentId: home } = await send('PUT', 'home', { title: 'Home' })
    const about = { __type: uid('page'), documentId: other }
    const frame = {
      ...{ label: 'a label', subject: about, inner: { remark: 'deep' } },
      raw: { __type: uid('page'), documentId: 'x', order: 1 },
    }
    const { documentId } = await send('POST', 'pages', {
      ...{ title: 'All', details: 'long', slug: 'all', cover: file?.id, author },
      ...{
        frame,
        frames: [frame, { label: 'b' }],
        zone: [{ __component: 'shared.frame', ...frame }],
      },
      about: [about, { __type: uid('home'), documentId: home }],
    })
    await send('PUT', `pages/${documentId}?status=draft`, { details: 'longer' })
    // Published pages get the author when the author is published.
    await send('PUT', `authors/${author}?status=draft`, { pages: [other] })
    await allow('public', [`${uid('page')}.find`, `${uid('author')}.find`])
    const website = { name: 'Website', permissions: [`${uid('home')}.find`] }
    await quire.services.db
      .collection<object>('_api_tokens')
      .insertOne({ _id: 900, type: 'custom', ...website } as object)
  }

  const readAsClient = async (place: Place, names: Names) =>
    place.serve(async ({ request, token, quire }) => {
      const get = async (path: string, as: object = { token }): Promise<unknown> =>
        (await request('GET', `/api/${path}`, as)).body
      const [page, home] = [names.page.name, names.home.name]
      const seen = async () => [
        await get(`${page}s?populate=deep&sort=id`),
        await get(`${page}s?populate=deep&sort=id&status=draft`),
        await get(`${page}s?publicationFilter=modified&status=draft`),
        await get(`authors?populate=deep&sort=id`),
        await get(`${home}?populate=deep`),
        await get('upload/files?populate=related'),
        await get(`${page}s?sort=id`, {}),
      ]
      const before = await seen()
      const { data } = (await get('authors')) as Readonly<{ data: readonly Entry[] }>
      const author = data[0]?.documentId ?? ''
      await request('POST', `/api/authors/${author}/actions/publish`, { token })
      const { db } = quire.services
      const after = await get(`${page}s?populate=*&sort=id`)
      const permitted = [
        await db.collection('roles').distinct('permissions'),
        await db.collection('_api_tokens').distinct('permissions', { name: 'Website' }),
      ]
      const changes = JSON.stringify(after).replaceAll(/"(updated|published)At":"[^"]*"/g, '')
      return JSON.stringify([before, changes, permitted], null, 1)
    })

  const exported = async () => {
    const source = await openPlace()
    await source.define(first)
    await source.serve(fill)
    const archive = `${source.folder}/old.tar`
    expect(await source.run('export', archive, '--live')).to.include({ code: 0, stderr: '' })
    return { source, archive }
  }

  it('shows the same content as a start with the new names over the old database', async () => {
    const { source, archive: old } = await exported()
    let [names, archive] = [first, old]
    for (const letter of ['x', 'y']) {
      names = rename(names, letter)
      await source.define(names)
      const target = await openPlace()
      await target.define(names)
      const { code, stdout, stderr } = await target.run('import', archive)
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      const [page, remark] = [names.page, names.remark]
      expect(stdout)
        .to.include('\nRenamed on import: ')
        .and.to.include(`${uid(page.from ?? '')} is now ${uid(page.name)}, `)
        .and.to.include(`"${remark.from ?? ''}" of shared.deep is now "${remark.name}"`)
      expect(await readAsClient(target, names)).to.equal(await readAsClient(source, names))
      // The next archive still stores entries in fields with the first names.
      archive = `${source.folder}/${letter}.tar`
      expect(await source.run('export', archive, '--live')).to.include({ code: 0, stderr: '' })
    }
  })

  it('applies two renames if the database knows both, also when resumed after a kill', async () => {
    const { source, archive } = await exported()
    const half = rename(first, 'x', ['page', 'details', 'label', 'frame'])
    await source.define(half)
    await source.serve(() => Promise.resolve())
    const names = rename(half, 'y')
    await source.define(names)
    const before = await readAsClient(source, names)
    const importAgain = async () => {
      const { code, stderr } = await source.run('import', archive, '--replace')
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      expect(await readAsClient(source, names)).to.equal(before)
    }
    await importAgain()
    await source.cutOff()
    await importAgain()
    const target = await openPlace()
    await target.define(names)
    const refused = await target.run('import', archive)
    expect(refused.code).to.equal(1)
  })

  it('imports a type by its new name, and lists the values that its definition refuses', async () => {
    const { source, archive } = await exported()
    const names = rename(first, 'x')
    const target = await openPlace()
    await target.define(names, { required: true })
    const only = ['import', archive, '--only', uid(names.page.name)]
    const { code, stdout } = await target.run(...only)
    expect(code).to.equal(1)
    expect(stdout).to.match(
      /not allow them \(entries that are drafts now: 1, that were not imported: 0\):\n {2}api::pagex\.pagex \w+ \(draft\): detailsx: .* \(entries\/api::page\.page\/published\/00001\.jsonl:1\)\n$/,
    )
    await target.serve(async ({ request, token }) => {
      const { body } = await request('GET', '/api/pagexs?fields=detailsx', { token })
      expect((body as Readonly<{ data: readonly object[] }>).data).to.have.length(1)
    })
    const unknown = await target.run('import', archive, '--only', uid('page'))
    const refusal = `The content-type ${uid('page')} is now called ${uid('pagex')}. Use this name\n`
    expect(unknown).to.deep.equal({ code: 1, stdout: '', stderr: refusal })
    // The source database still has the type under its previous uid.
    await source.define(names)
    const underOldUid = await source.run('import', archive, '--replace', '--exclude', uid('page'))
    expect(underOldUid).to.deep.equal({ code: 1, stdout: '', stderr: refusal })
  })
})
