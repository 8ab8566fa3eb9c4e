import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorBody } from '../../../support/error-body.js'
import { testDatabaseUri } from '../../../support/database.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

type Folder = Readonly<{
  id: number
  documentId: string
  name: string
  pathId: number
  path: string
}>
type File = Readonly<{ id: number; name: string; folderPath: string; folder: Folder | null }>

const refused = (message: string) => errorBody(400, 'ValidationError', message, {})

describe('folders of the media library', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())
  afterEach(async () => {
    const { data } = (await done('GET', '/folders?pagination[pageSize]=-1')) as { data: Folder[] }
    const { results } = (await done('GET', '/files?pageSize=100')) as { results: File[] }
    const [folderIds, fileIds] = [data, results].map((all) => all.map(({ id }) => id))
    await done('POST', '/actions/bulk-delete', { folderIds, fileIds })
  })

  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, `/upload${path}`, { token: app.adminJwt, body })
  const done = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await ask(method, path, body)
    expect(answer.status, answer.text).to.be.below(300)
    return answer.body
  }
  const create = async (name: string, parent: Folder | null = null): Promise<Folder> => {
    const body = await done('POST', '/folders', { name, parent: parent?.id ?? null })
    return (body as { data: Folder }).data
  }
  const formOf = (info?: object, name = 'a.txt', content = 'a') => {
    const form = new FormData()
    form.append('files', new Blob([content], { type: 'text/plain' }), name)
    if (info !== undefined) form.append('fileInfo', JSON.stringify(info))
    return form
  }
  const upload = async (folder: Folder | null = null, name = 'a.txt'): Promise<File> => {
    const info = { name, folder: folder?.id ?? null }
    const [file] = (await done('POST', '', formOf(info))) as readonly [File]
    return file
  }
  const folder = async ({ id }: Folder): Promise<Folder> =>
    ((await done('GET', `/folders/${id}`)) as { data: Folder }).data
  const file = ({ id }: File) => done('GET', `/files/${id}`) as Promise<File>
  const files = async (search: string): Promise<readonly string[]> => {
    const body = await done('GET', `/files?sort=name&${search}`)
    return (body as { results: readonly File[] }).results.map(({ name }) => name)
  }
  const folders = async (search: string): Promise<readonly string[]> => {
    const body = await done('GET', `/folders?sort=name&${search}`)
    return (body as { data: readonly Folder[] }).data.map(({ name }) => name)
  }

  // This must be the first test: its folders need the path ids 1 to 10, because `/1` is a prefix of `/10`.
  it('are deleted with their content and nothing else', async () => {
    const one = await create('one')
    const others = await Promise.all(Array.from({ length: 10 }, (_, at) => create(`other ${at}`)))
    expect(others.some(({ path }) => path.startsWith(one.path))).to.equal(true)
    const inner = await create('inner', one)
    await upload(inner, 'inner.txt')
    await upload(one, 'one.txt')
    await upload(others[9], 'other.txt')
    const loose = await upload(null, 'loose.txt')
    const body = { fileIds: [loose.id], folderIds: [one.id] }
    const answer = (await done('POST', '/actions/bulk-delete', body)) as {
      data: { files: File[]; folders: Folder[] }
    }
    expect(answer.data.files.map(({ name }) => name)).to.deep.equal(['loose.txt'])
    expect(answer.data.folders.map(({ name }) => name)).to.deep.equal(['one'])
    expect(await folders('')).to.deep.equal(others.map(({ name }) => name))
    expect(await files('')).to.deep.equal(['other.txt'])
    const stored = await readdir(join(app.dataDir, 'uploads'))
    expect(stored.filter((name) => name.endsWith('.txt'))).to.have.lengthOf(1)
    await done('POST', '/actions/bulk-delete', body)
  })

  it('are created at the root or in another folder, and returned with counts of their content', async () => {
    const answer = await ask('POST', '/folders', { name: 'one', parent: null })
    expect(answer.status).to.equal(201)
    const one = (answer.body as { data: Folder }).data
    expect(one).to.include({ name: 'one', path: `/${one.pathId}` })
    expect(one).to.include.keys('id', 'documentId', 'createdAt', 'updatedAt')
    const two = await create('two', one)
    expect(two.path).to.equal(`/${one.pathId}/${two.pathId}`)
    await upload(one)
    const read = (await done('GET', `/folders/${one.id}`)) as { data: object }
    expect(read.data).to.deep.include({ id: one.id, children: { count: 1 }, files: { count: 1 } })
    const withParent = await done('GET', `/folders/${two.id}?populate=parent`)
    expect(withParent).to.have.nested.property('data.parent.id', one.id)
    const all = (await done('GET', '/folders?sort=id&pagination[pageSize]=-1')) as {
      data: object[]
    }
    expect(all.data).to.have.lengthOf(2)
    expect(all.data[1]).to.deep.include({ id: two.id, children: { count: 0 }, files: { count: 0 } })
    expect(await done('GET', '/folder-structure')).to.deep.equal({
      data: [{ id: one.id, name: 'one', children: [{ id: two.id, name: 'two', children: [] }] }],
    })
    expect((await ask('GET', '/folders/99999')).status).to.equal(404)
  })

  it('can be listed with the queries of the admin panel', async () => {
    const one = await create('one')
    await create('inner', one)
    await create('other')
    expect(await folders('filters[$and][0][parent][id][$null]=true')).to.deep.equal([
      'one',
      'other',
    ])
    expect(await folders(`filters[$and][0][parent][id]=${one.id}`)).to.deep.equal(['inner'])
    expect(await folders('_q=nne&pagination[pageSize]=-1')).to.deep.equal(['inner'])
    expect(await folders('filters[name][$startsWith]=o')).to.deep.equal(['one', 'other'])
    expect(await folders('pagination[pageSize]=1&pagination[page]=2')).to.deep.equal(['one'])
  })

  it('must have valid names that are unique within their parent', async () => {
    const one = await create('one')
    const inner = await create('inner', one)
    await create('inner')
    const duplicate = refused('A folder with this name already exists')
    const again = await ask('POST', '/folders', { name: 'one' })
    expect(again.status).to.equal(400)
    expect(again.body).to.deep.equal(duplicate)
    expect((await ask('POST', '/folders', { name: 'inner', parent: one.id })).body).to.deep.equal(
      duplicate,
    )
    expect((await ask('PUT', `/folders/${inner.id}`, { parent: null })).body).to.deep.equal(
      duplicate,
    )
    expect(
      (await ask('PUT', `/folders/${inner.id}`, { name: 'one', parent: null })).body,
    ).to.deep.equal(duplicate)
    for (const [name, message] of [
      ['a/b', 'name cannot contain slashes'],
      [' a', 'name cannot start or end with a whitespace'],
      ['a ', 'name cannot start or end with a whitespace'],
    ] as const) {
      const { status, body } = await ask('POST', '/folders', { name })
      expect(status).to.equal(400)
      expect(body).to.have.nested.property('error.message', message)
    }
    const unknownKey = await ask('POST', '/folders', { name: 'x', path: '/1' })
    expect(unknownKey.body).to.have.nested.property(
      'error.message',
      'this field has unspecified keys: path',
    )
    const lost = await ask('POST', '/folders', { name: 'x', parent: 99999 })
    expect(lost.body).to.deep.equal(refused('parent folder does not exist'))
  })

  it('are renamed and moved together with their content', async () => {
    const [one, two] = [await create('one'), await create('two')]
    const inner = await create('inner', one)
    const deep = await create('deep', inner)
    const [near, far] = [await upload(inner), await upload(deep)]
    expect(far.folderPath).to.equal(deep.path)
    const moved = (await done('PUT', `/folders/${inner.id}`, { name: 'new', parent: two.id })) as {
      data: Folder
    }
    expect(moved.data).to.include({ name: 'new', path: `/${two.pathId}/${inner.pathId}` })
    expect((await folder(deep)).path).to.equal(`${moved.data.path}/${deep.pathId}`)
    expect((await file(near)).folderPath).to.equal(moved.data.path)
    expect(await file(far)).to.have.nested.property('folder.id', deep.id)
    expect((await file(far)).folderPath).to.equal(`${moved.data.path}/${deep.pathId}`)
    await done('PUT', `/folders/${inner.id}`, { parent: null })
    expect((await file(far)).folderPath).to.equal(`/${inner.pathId}/${deep.pathId}`)
    await done('PUT', `/folders/${inner.id}`, { name: 'newer' })
    expect(await folder(inner)).to.include({ name: 'newer', path: `/${inner.pathId}` })
    for (const parent of [inner, deep]) {
      const { status, body } = await ask('PUT', `/folders/${inner.id}`, { parent: parent.id })
      expect(status).to.equal(400)
      expect(body).to.deep.equal(refused('folder cannot be moved inside itself'))
    }
    expect((await ask('PUT', '/folders/99999', { name: 'x' })).status).to.equal(404)
  })

  it('contain files that are uploaded, replaced or moved there', async () => {
    const [one, two] = [await create('one'), await create('two')]
    const uploaded = await upload(one)
    expect(uploaded).to.have.nested.property('folder.id', one.id)
    expect(await file(uploaded)).to.deep.equal(uploaded)
    const replaced = (await done(
      'POST',
      `?id=${uploaded.id}`,
      formOf(undefined, 'b.txt', 'b'),
    )) as File
    expect(replaced).to.include({ name: 'b.txt', folderPath: one.path })
    const moved = (await done('POST', `?id=${uploaded.id}`, {
      fileInfo: { folder: two.id },
    })) as File
    expect(moved.folderPath).to.equal(two.path)
    const out = (await done('POST', `?id=${uploaded.id}`, { fileInfo: { folder: null } })) as File
    expect(out).to.deep.include({ folderPath: '/', folder: null })
    const { status, body } = await ask('POST', '', formOf({ folder: 99999 }))
    expect(status).to.equal(400)
    expect(body).to.deep.equal(refused('the folder does not exist'))
    expect(await files('')).to.deep.equal(['b.txt'])
  })

  it('can be used to filter files, in pages', async () => {
    const one = await create('one')
    await upload(one, 'in.txt')
    await upload(null, 'out.txt')
    const form = formOf({ name: 'public.txt' })
    const api = await app.request('POST', '/api/upload', { token: app.token, body: form })
    expect(api.status).to.equal(201)
    expect(await files(`folder=${one.id}`)).to.deep.equal(['in.txt'])
    expect(await files(`filters[$and][0][folder][id]=${one.id}`)).to.deep.equal(['in.txt'])
    expect(await files('filters[$and][0][folder][id][$null]=true')).to.deep.equal([
      'out.txt',
      'public.txt',
    ])
    expect(await files(`filters[folderPath]=${one.path}`)).to.deep.equal(['in.txt'])
    for (const root of ['filters[folderPath]=/', 'filters[$and][0][folderPath][$eq]=%2F'])
      expect(await files(root), root).to.deep.equal(['out.txt', 'public.txt'])
    for (const below of ['/', one.path, '/nowhere'])
      expect(await files(`filters[folderPath][$startsWith]=${below}`), below).to.deep.equal(
        below === '/' ? ['in.txt', 'out.txt', 'public.txt'] : below === one.path ? ['in.txt'] : [],
      )
    expect(await files('_q=out')).to.deep.equal(['out.txt'])
    const page = (await done('GET', '/files?sort=name&page=2&pageSize=2')) as { results: File[] }
    expect(page).to.deep.include({ pagination: { page: 2, pageSize: 2, pageCount: 2, total: 3 } })
    expect(page.results[0]).to.deep.include({ name: 'public.txt', folderPath: '/', folder: null })
    expect((await ask('GET', '/files?page=0')).status).to.equal(400)
  })

  it('are not accessible in the public API', async () => {
    const one = await create('one')
    const uploaded = await upload(one)
    const get = (path: string) =>
      app.request('GET', `/api/upload/files${path}`, { token: app.token })
    const read = await get(`/${uploaded.id}`)
    expect(read.body).not.to.have.any.keys('folder', 'folderPath')
    expect((await get('?populate=*')).text).not.to.include('older')
    for (const query of [
      'filters[folderPath]=/1',
      'filters[folder][id]=1',
      'sort=folderPath',
      'fields=folderPath',
      'populate=folder',
    ])
      expect((await get(`?${query}`)).status, query).to.equal(400)
    const upload_ = await app.request('POST', '/api/upload', {
      ...{ token: app.token, body: formOf({ folder: one.id }) },
    })
    expect(upload_.status).to.equal(400)
    expect((await app.request('GET', '/upload/folders', { token: app.token })).status).to.equal(401)
  })

  it('are moved together with files by bulk-move', async () => {
    const [one, two] = [await create('one'), await create('two')]
    const inner = await create('inner', one)
    const [near, far] = [await upload(one), await upload(inner)]
    const body = { destinationFolderId: two.id, fileIds: [near.id], folderIds: [inner.id] }
    const answer = (await done('POST', '/actions/bulk-move', body)) as {
      data: { files: File[]; folders: Folder[] }
    }
    expect(answer.data.files[0]).to.include({ id: near.id, folderPath: two.path })
    expect(answer.data.folders[0]).to.include({
      id: inner.id,
      path: `${two.path}/${inner.pathId}`,
    })
    expect((await file(far)).folderPath).to.equal(`${two.path}/${inner.pathId}`)
    const inside = { destinationFolderId: inner.id, folderIds: [two.id, inner.id] }
    expect((await ask('POST', '/actions/bulk-move', inside)).body).to.deep.equal(
      refused('folders cannot be moved inside themselves or one of its children: two, inner'),
    )
    await create('inner')
    const taken = { destinationFolderId: null, folderIds: [inner.id] }
    expect((await ask('POST', '/actions/bulk-move', taken)).body).to.deep.equal(
      refused('some folders already exists: inner'),
    )
    const lost = { destinationFolderId: 99999, fileIds: [near.id] }
    expect((await ask('POST', '/actions/bulk-move', lost)).body).to.deep.equal(
      refused('destination folder does not exist'),
    )
    await done('POST', '/actions/bulk-move', {
      destinationFolderId: null,
      fileIds: [near.id, far.id],
    })
    expect(await file(far)).to.deep.include({ folderPath: '/', folder: null })
  })

  it('stay consistent during concurrent changes', async () => {
    const [one, two] = [await create('one'), await create('two')]
    const moves = await Promise.all([
      ask('PUT', `/folders/${one.id}`, { parent: two.id }),
      ask('PUT', `/folders/${two.id}`, { parent: one.id }),
    ])
    expect(moves.map(({ status }) => status).sort()).to.deep.equal([200, 400])
    const same = await Promise.all(
      Array.from({ length: 5 }, () => ask('POST', '/folders', { name: 'same' })),
    )
    expect(same.map(({ status }) => status).sort()).to.deep.equal([201, 400, 400, 400, 400])
    const target = await create('target')
    const loose = await Promise.all(Array.from({ length: 4 }, () => upload()))
    await Promise.all([
      ...loose.map(({ id }) =>
        ask('POST', '/actions/bulk-move', { destinationFolderId: target.id, fileIds: [id] }),
      ),
      ask('POST', '/actions/bulk-delete', { folderIds: [target.id] }),
    ])
    const remaining = (await done('GET', '/files')) as { results: File[] }
    for (const one of remaining.results)
      expect(one).to.deep.include({ folder: null, folderPath: '/' })
    expect(await folders('filters[name]=target')).to.deep.equal([])
  })

  it('get correct paths again after an interrupted move', async () => {
    const [one, two] = [await create('one'), await create('two')]
    const inner = await create('inner', one)
    const uploaded = await upload(inner)
    const { db } = app.quire.services
    const parent = { documentId: two.documentId }
    await db
      .collection<{ _id: number }>('_folders')
      .updateOne({ _id: one.id }, { $set: { parent } })
    await create('other')
    expect((await folder(one)).path).to.equal(`${two.path}/${one.pathId}`)
    expect((await folder(inner)).path).to.equal(`${two.path}/${one.pathId}/${inner.pathId}`)
    expect((await file(uploaded)).folderPath).to.equal((await folder(inner)).path)
  })

  it('are limited in depth and in number per request', async () => {
    let parent: Folder | null = null
    for (let depth = 1; depth <= 20; depth++) parent = await create(`level ${depth}`, parent)
    const deeper = await ask('POST', '/folders', { name: 'deeper', parent: parent?.id })
    expect(deeper.status).to.equal(400)
    expect(deeper.body).to.have.nested.property('error.message').that.includes('depth of folders')
    const other = await create('other')
    const moved = await ask('POST', '/actions/bulk-move', {
      ...{ destinationFolderId: parent?.id, folderIds: [other.id] },
    })
    expect(moved.status).to.equal(400)
    const many = { folderIds: Array.from({ length: 1001 }, (_, at) => at + 1) }
    expect((await ask('POST', '/actions/bulk-delete', many)).status).to.equal(400)
  })
})

describe('folders that two instances move concurrently', () => {
  let apps: readonly TestApp[]
  before(async () => {
    const databaseUri = await testDatabaseUri()
    apps = [await startApp({ databaseUri }), await startApp({ databaseUri })]
  })
  after(async () => {
    await apps[0]?.quire.services.db.dropDatabase()
    for (const app of apps) await app.stop()
  })

  type Tree = Readonly<{ id: number; children: readonly Tree[] }>
  const ask = async (app: TestApp, method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, `/upload${path}`, { token: app.adminJwt, body })
    // 503: the lock was not free in time. 400: the other instance has moved a folder, so this move is no longer
    // possible.
    expect(answer.status, answer.text).to.be.oneOf([200, 201, 400, 503])
    return answer
  }
  const idsIn = (trees: readonly Tree[]): readonly number[] =>
    trees.flatMap(({ id, children }) => [id, ...idsIn(children)])

  it('stay one tree with correct paths, without lost folders or cycles', async () => {
    const [one, other] = apps as [TestApp, TestApp]
    const ids: number[] = []
    for (let at = 0; at < 8; at += 1) {
      const { body } = await ask(one, 'POST', '/folders', { name: `folder ${at}`, parent: null })
      ids.push((body as { data: Folder }).data.id)
    }
    const form = new FormData()
    form.append('files', new Blob(['a'], { type: 'text/plain' }), 'a.txt')
    form.append('fileInfo', JSON.stringify({ name: 'a.txt', folder: ids[0] }))
    await ask(one, 'POST', '', form)

    let moved = 0
    const move = async (app: TestApp, step: number) => {
      const id = ids[step % ids.length] ?? 0
      const target = ids[(step * 3 + 1) % ids.length] ?? 0
      const { status } = await (step % 2 === 0
        ? ask(app, 'PUT', `/folders/${id}`, { parent: target })
        : ask(app, 'POST', '/actions/bulk-move', {
            ...{ destinationFolderId: step % 5 === 0 ? null : target, folderIds: [id] },
          }))
      if (status === 200) moved += 1
    }
    for (let round = 0; round < 10; round += 1) {
      const steps = [round, round + 1, round + 3].map((step) => step + round * 7)
      await Promise.all(steps.flatMap((step) => [move(one, step), move(other, step + 4)]))
      for (const app of apps) {
        const { body } = await ask(app, 'GET', '/folder-structure')
        expect([...idsIn((body as { data: Tree[] }).data)].sort()).to.deep.equal([...ids].sort())
      }
    }
    expect(moved).to.be.greaterThan(10)

    const { db } = one.quire.services
    const stored = await db.collection<Folder & Parent>('_folders').find().toArray()
    const byDocument = new Map(stored.map((folder) => [folder.documentId, folder]))
    for (const { path, pathId, parent } of stored) {
      const above = parent === null ? '' : byDocument.get(parent.documentId)?.path
      expect(path).to.equal(`${above}/${pathId}`)
    }
    const file = await db
      .collection<{ folderPath: string; folder: { documentId: string } }>('upload_files')
      .findOne({ name: 'a.txt' })
    expect(file?.folderPath).to.equal(byDocument.get(file?.folder.documentId ?? '')?.path)
  })
})

type Parent = Readonly<{ parent: { documentId: string } | null }>
