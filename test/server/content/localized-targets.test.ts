import { expect } from 'chai'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

type Data = Readonly<Record<string, unknown>>
type Shown = Data & Readonly<{ documentId: string }>

const type = (name: string, attributes: Data, isLocalized = false): Data => ({
  ...{ kind: 'collectionType', collectionName: `${name}s`, options: { draftAndPublish: true } },
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  pluginOptions: isLocalized ? { i18n: { localized: true } } : {},
  attributes,
})
const relation = (kind: string, target: string, more: Data = {}): Data => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})
const text = { type: 'string', pluginOptions: { i18n: { localized: true } } }

const schema = {
  'content-types/frame.json': type('frame', {
    name: { type: 'string' },
    label: relation('manyToOne', 'label'),
    labels: relation('manyToMany', 'label', { inversedBy: 'frames' }),
    parts: { type: 'component', component: 'shared.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['shared.part'] },
    anything: { type: 'relation', relation: 'morphToMany' },
    signs: relation('oneToMany', 'sign', { mappedBy: 'frame' }),
  }),
  'content-types/label.json': type(
    'label',
    {
      text,
      frames: relation('manyToMany', 'frame', { mappedBy: 'labels' }),
      next: relation('manyToOne', 'label'),
      picture: { type: 'media' },
    },
    true,
  ),
  'content-types/sign.json': type(
    'sign',
    { text, frame: relation('manyToOne', 'frame', { inversedBy: 'signs' }) },
    true,
  ),
  'components/shared/part.json': {
    ...{ collectionName: 'parts', info: { displayName: 'part' }, options: {} },
    attributes: { of: relation('manyToOne', 'label') },
  },
}

describe('relation from an entry without locales', () => {
  let app: TestApp
  const ids: Record<string, string> = {}
  const send = async (method: string, path: string, data?: Data) => {
    const body = data === undefined ? {} : { body: { data } }
    const { status, body: answer } = await app.request(method, `/api/${path}`, {
      ...{ token: app.token, ...body },
    })
    expect(status, JSON.stringify(answer)).to.be.oneOf([200, 201])
    return answer as Readonly<{ data: unknown; meta: { pagination: { total: number } } }>
  }
  const make = async (path: string, data: Data): Promise<string> =>
    ((await send('POST', path, data)).data as Shown).documentId
  const one = async (path: string) => (await send('GET', path)).data as Shown
  const many = async (path: string) => (await send('GET', path)).data as readonly Shown[]
  const list = (value: unknown): readonly Shown[] =>
    Array.isArray(value) ? value : (value as { data: readonly Shown[] }).data
  const texts = (value: unknown) =>
    list(value).map(({ text, locale }) => `${String(text)} ${String(locale)}`)

  before(async () => {
    app = await startApp({ schema })
    for (const code of ['fr', 'de']) {
      const body = { code, name: code, isDefault: false }
      await app.request('POST', '/i18n/locales', { token: app.adminJwt, body })
    }
    const { hello, only, german } = Object.assign(ids, {
      hello: await make('labels', { text: 'hello' }),
      only: await make('labels', { text: 'only' }),
      german: await make('labels?locale=de', { text: 'nur deutsch' }),
    })
    await send('PUT', `labels/${hello}?locale=fr`, { text: 'bonjour', next: hello })
    await send('PUT', `labels/${only}?locale=de`, { text: 'nur' })
    await send('PUT', `labels/${only}`, { text: 'only', next: hello })
    const labels = [
      { documentId: hello },
      { documentId: only },
      { documentId: german, locale: 'de' },
    ]
    ids['frame'] = await make('frames', {
      ...{ name: 'f', label: hello, labels, parts: labels.map((of) => ({ of })) },
      zone: labels.map((of) => ({ __component: 'shared.part', of })),
      anything: labels.map((label) => ({ __type: 'api::label.label', ...label })),
    })
    await make('frames', { name: 'g', label: only, labels: [only] })
    await make('frames', { name: 'h' })
    const sign = await make('signs', { text: 'in both', frame: ids['frame'] })
    await send('PUT', `signs/${sign}?locale=fr`, { text: 'en deux', frame: ids['frame'] })
    // In French, the request must show the sign's French version, which has no frame.
    const moved = await make('signs', { text: 'moved', frame: ids['frame'] })
    await send('PUT', `signs/${moved}?locale=fr`, { text: 'ailleurs', frame: null })
    await make('signs', { text: 'still', frame: ids['frame'] })
  })
  after(() => app.stop())

  const frame = (query: string) => one(`frames/${ids['frame']}?${query}`)

  it('shows each target in the requested locale, or else in the default one', async () => {
    const all = ['bonjour fr', 'only en']
    const shown = await frame('locale=fr&populate=*')
    expect(shown['label']).to.include({ text: 'bonjour', locale: 'fr' })
    expect(texts(shown['labels'])).to.deep.equal(all)
    expect(texts(shown['anything'])).to.deep.equal(all)
    expect(texts(shown['signs'])).to.deep.equal(['en deux fr', 'still en'])
    const parts = await frame('locale=fr&populate[parts][populate]=of&populate[zone][populate]=*')
    for (const name of ['parts', 'zone'])
      expect(
        list(parts[name]).map(({ of }) => (of as Shown | null)?.['text'] ?? null),
      ).to.deep.equal(['bonjour', 'only', null])
  })

  it('shows targets in the default locale if none or all are requested', async () => {
    for (const query of ['', 'locale=*&']) {
      const shown = await frame(`${query}populate=labels,signs`)
      expect(texts(shown['labels'])).to.deep.equal(['hello en', 'only en'])
      expect(texts(shown['signs'])).to.deep.equal(['in both en', 'moved en', 'still en'])
    }
  })

  it('follows the relations of a target in the locale it is shown in', async () => {
    const shown = await frame('locale=fr&populate=labels.next')
    const next = list(shown['labels']).map((label) => label['next'])
    expect(texts(next)).to.deep.equal(['bonjour fr', 'hello en'])
    const back = await frame('locale=fr&populate=labels.frames.labels')
    for (const { frames } of list(back['labels']))
      expect(texts(list(frames)[0]?.['labels'])).to.deep.equal(['bonjour fr', 'only en'])
  })

  it('counts the targets it shows', async () => {
    const counted = 'populate[labels][count]=true&populate[signs][count]=true'
    const counts = async (query: string) => {
      const { labels, signs } = await frame(`${query}${counted}`)
      return [(labels as Data)['count'], (signs as Data)['count']]
    }
    expect(await counts('locale=fr&')).to.deep.equal([2, 2])
    expect(await counts('')).to.deep.equal([2, 3])
    expect(await counts('locale=de&')).to.deep.equal([3, 3])
  })

  it('filters by the versions it shows', async () => {
    const found = async (filters: string) => {
      const { data, meta } = await send('GET', `frames?locale=fr&sort=name&${filters}`)
      const names = (data as readonly Shown[]).map(({ name }) => name)
      expect(meta.pagination.total).to.equal(names.length)
      return names
    }
    expect(await found('filters[label][text]=bonjour')).to.deep.equal(['f'])
    expect(await found('filters[label][text]=hello')).to.deep.equal([])
    expect(await found('filters[labels][text]=only')).to.deep.equal(['f', 'g'])
    expect(await found('filters[labels][text]=nur deutsch')).to.deep.equal([])
    expect(await found('filters[labels][id][$null]=true')).to.deep.equal(['h'])
    expect(await found('filters[signs][text]=moved')).to.deep.equal([])
    expect(await found('filters[signs][text]=en deux')).to.deep.equal(['f'])
    expect(await found('filters[parts][of][locale]=en')).to.deep.equal(['f'])
    expect(await found('filters[labels][frames][labels][text]=bonjour')).to.deep.equal(['f', 'g'])
    const shown = await frame('locale=fr&populate[labels][filters][text][$contains]=o')
    expect(texts(shown['labels'])).to.deep.equal(['bonjour fr', 'only en'])
    const none = await frame('locale=fr&populate[labels][filters][text]=hello')
    expect(texts(none['labels'])).to.deep.equal([])
  })

  it('sorts and groups by the versions it shows', async () => {
    const sorted = await many('frames?locale=fr&sort=label.text:desc')
    expect(sorted.map(({ name }) => name)).to.deep.equal(['g', 'f', 'h'])
    const english = await many('frames?sort=label.text:desc')
    expect(english.map(({ name }) => name)).to.deep.equal(['g', 'f', 'h'])
    const shown = await frame('locale=fr&populate[labels][sort]=text:desc')
    expect(texts(shown['labels'])).to.deep.equal(['only en', 'bonjour fr'])
    const groups = await many('frames/aggregate?locale=fr&groupBy=labels.text&count=*')
    expect(groups).to.deep.include.members([
      { group: { 'labels.text': 'bonjour' }, count: 1 },
      { group: { 'labels.text': 'only' }, count: 2 },
    ])
  })

  it('chooses the locale separately for drafts and published versions', async () => {
    const draft = await make('labels?status=draft', { text: 'draft' })
    await send('PUT', `labels/${draft}?locale=fr`, { text: 'publié' })
    const path = await make('frames', { name: 'd', labels: [draft] })
    const shown = async (query: string) =>
      texts((await one(`frames/${path}?populate=labels&${query}`))['labels'])
    expect(await shown('locale=fr')).to.deep.equal(['publié fr'])
    expect(await shown('')).to.deep.equal([])
    expect(await shown('status=draft')).to.deep.equal(['draft en'])
    await send('PUT', `labels/${ids['hello']}?locale=fr&status=draft`, { text: 'ébauche' })
    expect(texts((await frame('locale=fr&status=draft&populate=labels'))['labels'])).to.deep.equal([
      'ébauche fr',
      'only en',
    ])
    expect(texts((await frame('locale=fr&populate=labels'))['labels'])).to.deep.equal([
      'bonjour fr',
      'only en',
    ])
  })

  it('keeps the order of connected items in several locales', async () => {
    const name = 'ordered'
    const fields = 'locale=fr&fields=name&populate[signs][fields]=text'
    const made = async (path: string, data: Data) => (await send('POST', path, data)).data as Shown
    const english = await made('signs?fields=text', { text: 'one' })
    const french = await made('signs?locale=fr&fields=text', { text: 'un' })
    const { id, documentId } = await made('frames', { name })
    const inFrench = { documentId: french.documentId, locale: 'fr' }
    const inEnglish = { documentId: english.documentId, locale: 'en' }
    const start = { position: { start: true } }
    const answers = async (signs: unknown, shown: readonly Shown[]) => {
      const path = `frames/${documentId}?${fields}`
      const whole = { data: { id, documentId, name, signs: shown }, meta: {} }
      expect(await send('PUT', path, { signs })).to.deep.equal(whole)
      expect(await send('GET', path)).to.deep.equal(whole)
      const drafts = list((await one(`${path}&status=draft`))['signs'])
      const textsOf = (of: readonly Shown[]) => of.map(({ text }) => text)
      expect(textsOf(drafts)).to.deep.equal(textsOf(shown))
    }
    await answers([inFrench, inEnglish], [french, english])
    const englishFirst = { connect: [inFrench, { ...inEnglish, ...start }] }
    await answers(englishFirst, [english, french])
    const frenchFirst = { connect: [{ ...inFrench, ...start }, inEnglish], disconnect: [inFrench] }
    await answers(frenchFirst, [french, english])
    await answers([inEnglish, inFrench], [english, french])
  })

  it('hides targets of a type that the caller may not find', async () => {
    await app.allow('public', ['api::frame.frame.findOne', 'api::frame.frame.find'])
    const path = `/api/frames/${ids['frame']}?locale=fr&populate=labels`
    const { body } = await app.request('GET', path)
    expect((body as { data: object }).data).not.to.have.property('labels')
    const filtered = await app.request('GET', '/api/frames?locale=fr&filters[label][text]=bonjour')
    expect(filtered.status).to.equal(400)
  })
})
