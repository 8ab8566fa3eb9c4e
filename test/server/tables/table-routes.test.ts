import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Report = {
  rows: number
  created: number
  updated: number
  failed: number
  errors: { row: number; errors: string[] }[]
  next: number | null
}

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'string', unique: true },
    stars: { type: 'integer', max: 5 },
    price: { type: 'decimal' },
    size: { type: 'biginteger' },
    done: { type: 'boolean' },
    day: { type: 'date' },
    more: { type: 'json' },
    secret: { type: 'string', private: true },
    writer: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer' },
    readers: { type: 'relation', relation: 'manyToMany', target: 'api::writer.writer' },
    seo: { type: 'component', component: 'shared.seo' },
    parts: { type: 'dynamiczone', components: ['shared.seo'] },
  },
}
const writer = {
  kind: 'collectionType',
  info: { singularName: 'writer', pluralName: 'writers', displayName: 'Writer' },
  attributes: { name: { type: 'string' }, email: { type: 'email', unique: true } },
}
const seo = {
  info: { displayName: 'Seo' },
  attributes: {
    text: { type: 'string' },
    by: { type: 'relation', relation: 'oneToOne', target: 'api::writer.writer' },
  },
}

describe('table export and import', function () {
  this.timeout(60_000)
  const open = () =>
    startApp({
      schema: {
        'content-types/note.json': note,
        'content-types/writer.json': writer,
        'components/shared/seo.json': seo,
      },
    })
  let app: TestApp
  let other: TestApp
  before(async () => {
    app = await open()
    other = await open()
    for (const one of [app, other])
      for (const [at, email] of ['ada@example.org', 'bob@example.org'].entries())
        await post(one, 'writers', {
          ...{ name: `Writer ${at}`, email },
        })
  })
  after(async () => {
    await app?.stop()
    await other?.stop()
  })

  const post = async (one: TestApp, plural: string, data: object, search = '') => {
    const { status, body } = await one.request('POST', `/api/${plural}${search}`, {
      token: one.token,
      body: { data },
    })
    expect(status, JSON.stringify(body)).to.equal(201)
    return (body as { data: { documentId: string } }).data.documentId
  }
  const headers = ({ adminJwt }: TestApp) => ({ Authorization: `Bearer ${adminJwt}` })
  const exported = async (one: TestApp, search = '', uid = 'note') => {
    const answer = await fetch(`${one.url}/admin/content/${uid}/export${search}`, {
      headers: headers(one),
    })
    const text = Buffer.from(await answer.arrayBuffer()).toString()
    expect(answer.status, text).to.equal(200)
    return text
  }
  const sorted = (text: string): readonly string[] =>
    text
      .split(/\n/)
      .map((line) => line.replace(/,$/, ''))
      // Removes the ids of components, because each service assigns its own.
      .map((line) => line.replace(/"+id"+:\d+,/g, ''))
      .sort()
  const send = async (one: TestApp, text: string, search = '', uid = 'note') => {
    const body = new FormData()
    body.append('file', new Blob([text]), 'entries')
    return fetch(`${one.url}/admin/content/${uid}/import${search}`, {
      ...{ method: 'POST', headers: headers(one), body },
    })
  }
  const imported = async (one: TestApp, text: string, search = ''): Promise<Report> => {
    const answer = await send(one, text, search)
    const body = await answer.text()
    expect(answer.status, body).to.equal(200)
    return (JSON.parse(body) as { data: Report }).data
  }
  const refused = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: { message: string } }
    return [answer.status, error.message]
  }

  it('transfer entries to another service in each format, with relations by a unique attribute', async () => {
    const writers = JSON.parse(await exported(app, '?format=json', 'writer')) as {
      documentId: string
      email: string
    }[]
    const [ada, bob] = writers.map(({ documentId }) => documentId)
    await post(app, 'notes', {
      ...{ title: '=1+1', slug: 'one', stars: -3, price: '1.50', size: '9007199254740993' },
      ...{ done: true, day: '2024-02-29', more: { a: ['x,y', "'"] }, secret: 'never shown' },
      ...{ writer: ada, readers: [bob, ada], parts: [{ __component: 'shared.seo', text: '"' }] },
      seo: { text: 'line\nbreak; “é”' },
    })
    const documentId = await post(app, 'notes', { title: '', slug: "'=" }, '?status=draft').catch(
      () => post(app, 'notes', { title: 'Draft', slug: "'=" }, '?status=draft'),
    )
    expect(documentId).to.have.length(24)
    for (const format of ['csv', 'json', 'jsonl'])
      for (const status of ['draft', 'published']) {
        const search = `?format=${format}&status=${status}`
        const by = '&by=writer=email,readers=email'
        const text = await exported(app, search + by)
        expect(text).to.not.include('never shown')
        const report = await imported(other, text, `?format=${format}`)
        expect(report, text).to.deep.include({ failed: 0, errors: [], next: null })
        // Compares the sorted rows: an import writes several rows at a time, so they get their record ids in another
        // order.
        const again = await exported(other, search + by)
        expect(sorted(again), `${format} ${status}`).to.deep.equal(sorted(text))
      }
    const rows = (await exported(app)).trim().split('\n')
    expect(rows[0]).to.equal(
      'documentId,locale,status,title,slug,stars,price,size,done,day,more,writer,readers,seo,parts',
    )
    expect(rows[1]).to.include(`,en,published,'=1+1,one,-3,`)
  })

  it('write a byte order mark and another delimiter if requested, and read both', async () => {
    const text = await exported(app, '?bom=true&delimiter=%3B')
    expect(text).to.match(/^\uFEFFdocumentId;locale;status;title;/)
    const report = await imported(app, text.replace('=1+1', '=2+2'), '?delimiter=%3B')
    expect(report).to.deep.include({ rows: 1, updated: 1, created: 0, failed: 0 })
    expect(await exported(app, '?format=jsonl')).to.include('"title":"=2+2"')
  })

  it('handle 250 entries, and export those that match a filter in the order of their ids', async () => {
    const many = Array.from({ length: 250 }, (_, at) => `Many ${at},many-${at}`)
    const report = await imported(app, ['title,slug', ...many].join('\n'))
    expect(report).to.deep.include({ rows: 250, created: 250, failed: 0 })
    const lines = (await exported(app, '?format=jsonl&filters[slug][$startsWith]=many-')).trim()
    const slugs = lines.split('\n').map((line) => (JSON.parse(line) as { slug: string }).slug)
    const stored = app.quire.services.db.collection<{ slug: string }>('notes')
    const byId = stored.find({ slug: /^many-/ }).sort({ _id: 1 })
    expect(slugs).to.deep.equal(await byId.map(({ slug }) => slug).toArray())
    expect(new Set(slugs).size).to.equal(250)
    expect(await exported(app, '?format=json&filters[slug]=none')).to.equal('[]\n')
    expect(await exported(app, '?format=jsonl&filters[slug]=none')).to.equal('')
  })

  it('report the errors of each row, also in a dry run, which writes nothing', async () => {
    const table = [
      'title,slug,stars,writer.email,status',
      'Good,good,1,ada@example.org,draft',
      ',none,1,,',
      'Many,stars,7,,',
      'Taken,one,1,,',
      'Nobody,nobody,1,eve@example.org,',
      'Short,short',
      'Odd,odd,1,,publishd',
    ].join('\n')
    const errors = [
      {
        row: 2,
        errors: ['title: title must be a `string` type, but the final value was: `null`.'],
      },
      { row: 3, errors: ['stars: stars must be less than or equal to 5'] },
      { row: 4, errors: ['slug: This attribute must be unique'] },
      {
        row: 5,
        errors: ['writer.email: there is no api::writer.writer whose email is "eve@example.org"'],
      },
      { row: 6, errors: ['has 2 cells, but there are 5 column names'] },
      { row: 7, errors: ['status: must be draft or published, not publishd'] },
    ]
    const before = await exported(app, '?status=draft')
    const tried = await imported(app, table, '?dryRun=true')
    expect(tried).to.deep.equal({
      rows: 7,
      created: 1,
      updated: 0,
      failed: 6,
      errors,
      next: null,
      error: null,
    })
    expect(await exported(app, '?status=draft')).to.equal(before)
    expect(await imported(app, table)).to.deep.equal(tried)
    expect(await exported(app, '?status=draft')).to.include(',draft,Good,good,1,')
  })

  it('create a document with an unknown documentId, and update an existing one', async () => {
    const documentId = 'abcdefghijklmnopqrstuvwx'
    const line = (title: string) => JSON.stringify({ documentId, title })
    const search = '?format=jsonl'
    expect(await imported(app, line('First'), `${search}&dryRun=true`)).to.include({ created: 1 })
    expect(await imported(app, line('First'), search)).to.include({ created: 1, updated: 0 })
    expect(await imported(app, line('Second'), search)).to.include({ created: 0, updated: 1 })
    const wrong = ['{"documentId":"?","title":"x"}', '{"titel":"x"}', '[]', '{']
    const { errors, created } = await imported(app, wrong.join('\n'), search)
    expect(created).to.equal(0)
    expect(errors.slice(0, 3)).to.deep.equal([
      {
        row: 1,
        errors: [
          'documentId: there is no such document. The documentId of a new one must have 24 letters and digits',
        ],
      },
      { row: 2, errors: ['There is no column titel; did you mean title?'] },
      { row: 3, errors: ['must be an object'] },
    ])
    expect(errors[3]?.errors[0]).to.match(/JSON/)
  })

  it('continue at the row given by from', async () => {
    const report = await imported(app, 'title\nPassed over\nTaken', '?from=2')
    expect(report).to.include({ rows: 1, created: 1 })
    expect(await exported(app)).to.not.include('Passed over')
  })

  it('export all locales in the order of their codes, or only the requested one', async () => {
    const locale = { code: 'de', name: 'German (de)', isDefault: false }
    await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: locale })
    const first = await post(app, 'notes', { title: 'First', slug: 'in-first' })
    const second = await post(app, 'notes', { title: 'Second', slug: 'in-second' })
    // Creates the German versions in the opposite order, so that their record ids have another order than the English
    // ones.
    for (const id of [second, first]) {
      const path = `/api/notes/${id}?locale=de`
      const { status } = await app.request('PUT', path, { token: app.token, body: { data: {} } })
      expect(status).to.equal(200)
    }
    const titles = async (search: string) => {
      const text = await exported(app, `?format=json&filters[slug][$startsWith]=in-${search}`)
      const rows = JSON.parse(text) as { locale: string; title: string }[]
      return rows.map((row) => `${row.locale} ${row.title}`)
    }
    const [german, english] = [
      ['de Second', 'de First'],
      ['en First', 'en Second'],
    ]
    expect(await titles('')).to.deep.equal([german, english].flat())
    expect(await titles('&locale=de')).to.deep.equal(german)
    expect(await titles('&locale=en')).to.deep.equal(english)
  })

  it('reject what is not a table of the type, and suggest known names', async () => {
    expect(await refused(await send(app, 'titel\nx'))).to.deep.equal([
      400,
      'There is no column titel; did you mean title?',
    ])
    // Column names are also checked if there are no rows, or if the file is not a table at all.
    for (const [text, header] of [
      ['titel', 'titel; did you mean title?'],
      ['title,PK\u0003\u0004\n', 'PK\u0003\u0004'],
    ] as const)
      expect(await refused(await send(app, text))).to.deep.equal([
        400,
        `There is no column ${header}`,
      ])
    expect(await refused(await send(app, 'title,title\nx,y'))).to.deep.equal([
      400,
      'The column "title" occurs twice',
    ])
    expect((await refused(await send(app, 'title\n"x')))[0]).to.equal(400)
    expect((await refused(await send(app, '{}', '?format=json')))[1]).to.include('list of objects')
    expect(await refused(await send(app, '', '?format=cvs'))).to.deep.equal([
      400,
      'format must be one of csv, json, jsonl',
    ])
    expect((await refused(await send(app, 'title', '', 'notse')))[0]).to.equal(404)
    const get = (search: string) =>
      fetch(`${app.url}/admin/content/note/export${search}`, { headers: headers(app) })
    expect(await refused(await get('?by=writer=name'))).to.deep.equal([
      400,
      'api::writer.writer has no unique attribute name',
    ])
    expect((await refused(await get('?filters[titel]=x')))[0]).to.equal(400)
    expect((await refused(await get('?limit=1')))[0]).to.equal(400)
  })
})
