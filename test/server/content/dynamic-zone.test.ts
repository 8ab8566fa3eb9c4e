import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

type Entry = Readonly<{ __component: string; text?: string; heading?: string }>

describe('populate[zone][on][component]', () => {
  let magazine: Magazine
  let path: string
  before(async () => {
    magazine = await startMagazine()
    const { app, ids } = magazine
    const quote = (text: string, by?: string) => ({ __component: 'section.quote', text, by })
    const hero = (heading: string) => ({ __component: 'section.hero', heading })
    const data = {
      ...{ title: 'Zones', slug: 'zones' },
      sections: [
        ...[quote('C', ids['ana']), hero('2'), quote('A', ids['ben'])],
        ...[hero('1'), quote('B', ids['ana'])],
      ],
    }
    const made = await app.request('POST', '/api/articles', { token: app.token, body: { data } })
    path = `/api/articles/${(made.body as { data: { documentId: string } }).data.documentId}`
  })
  after(() => magazine.app.stop())

  const shown = async (query: string) => {
    const { status, body } = await magazine.get(`${path}?${query}`)
    expect(status, query).to.equal(200)
    const { sections } = (body as { data: { sections: Entry[] } }).data
    return sections.map(({ text, heading }) => text ?? heading)
  }
  const quotes = 'populate[sections][on][section.quote]'
  const heroes = 'populate[sections][on][section.hero]'

  it('filters the values of each component', async () => {
    const late = `${quotes}[filters][text][$gt]=A`
    expect(await shown(late)).to.deep.equal(['C', 'B'])
    expect(await shown(`${late}&${heroes}=true`)).to.deep.equal(['C', '2', '1', 'B'])
    expect(await shown(`${late}&${heroes}[filters][heading]=1`)).to.deep.equal(['C', '1', 'B'])
    expect(await shown(`${quotes}[filters][by][name]=Ana`)).to.deep.equal(['C', 'B'])
    expect(
      await shown(`${quotes}[filters][$or][0][by][name]=Ben&${quotes}[filters][$or][1][text]=B`),
    ).to.deep.equal(['A', 'B'])
  })

  it('sorts the values of a component among the positions they occupy', async () => {
    expect(await shown(`${quotes}[sort]=text`)).to.deep.equal(['A', 'B', 'C'])
    expect(await shown(`${quotes}[sort]=text&${heroes}=true`)).to.deep.equal([
      ...['A', '2', 'B', '1', 'C'],
    ])
    expect(await shown(`${quotes}[sort]=text:desc&${heroes}[sort]=heading`)).to.deep.equal([
      ...['C', '1', 'B', '2', 'A'],
    ])
    const filtered = `${quotes}[sort]=text&${quotes}[filters][text][$ne]=B`
    expect(await shown(`${filtered}&${heroes}=true`)).to.deep.equal(['A', '2', 'C', '1'])
  })

  it('selects fields and populates relations of the values', async () => {
    const { body } = await magazine.get(
      `${path}?${quotes}[fields]=id&${quotes}[sort]=text&${quotes}[populate][by][fields]=name`,
    )
    const { sections } = (body as { data: { sections: { by: { name: string } }[] } }).data
    expect(Object.keys(sections[0] ?? {})).to.deep.equal(['id', 'by', '__component'])
    expect(sections.map(({ by }) => by.name)).to.deep.equal(['Ben', 'Ana', 'Ana'])
  })

  it('rejects attributes that the component does not have', async () => {
    for (const [option, key, at] of [
      ['filters][nope]', 'nope', null],
      ['sort]', 'nope', null],
    ] as const) {
      const { status, body } = await magazine.get(`${path}?${quotes}[${option}=nope`)
      expect({ status, body }).to.deep.equal({
        status: 400,
        body: errorBody(400, 'ValidationError', `Invalid key ${key}`, {
          ...{ key, path: at, source: 'query', param: 'populate' },
        }),
      })
    }
  })
})
