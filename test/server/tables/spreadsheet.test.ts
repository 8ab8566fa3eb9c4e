import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const type = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})
const relation = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }
const schema = {
  'content-types/dish.json': type('dish', {
    name: { type: 'string', required: true },
    price: { type: 'decimal' },
    calories: { type: 'integer' },
    vegan: { type: 'boolean' },
    since: { type: 'date' },
    opened: { type: 'datetime' },
    course: { ...relation, relation: 'manyToOne', target: 'api::course.course' },
    tags: relation,
    sizes: { type: 'component', component: 'shared.size', repeatable: true },
  }),
  'content-types/tag.json': type('tag', { name: { type: 'string', unique: true } }),
  'content-types/course.json': type('course', {
    place: { type: 'integer', unique: true },
    name: { type: 'string', unique: true },
  }),
  'components/shared/size.json': {
    info: { displayName: 'size' },
    attributes: { w: { type: 'integer' } },
  },
}

describe('spreadsheet import', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ schema })
    for (const [path, data] of [
      ['tags', { name: 'hot' }],
      ['tags', { name: 'new' }],
      ['courses', { place: 1, name: 'Vorspeise' }],
    ] as const)
      await app.request('POST', `/api/${path}`, { token: app.token, body: { data } })
  })
  after(() => app.stop())

  const imported = async (lines: readonly string[], search: string) => {
    const body = new FormData()
    body.append('file', new Blob([lines.join('\n')]), 'dishes.csv')
    const url = `${app.url}/admin/content/dish/import?delimiter=%3B${search}`
    const headers = { Authorization: `Bearer ${app.adminJwt}` }
    const answer = await fetch(url, { method: 'POST', headers, body })
    return (await answer.json()) as { data: { errors: unknown } }
  }
  const dish = async (name: string): Promise<object | undefined> => {
    const path = `/api/dishs?filters[name]=${name}&populate=*`
    const { body } = await app.request('GET', path, { token: app.token })
    return (body as { data: object[] }).data[0]
  }

  it('reads German numbers, booleans, dates, names and lists with locale=de', async () => {
    const report = await imported(
      [
        'name;price;calories;vegan;since;opened;course;tags;sizes',
        'Suppe;1.234,50;1.200;ja;31.12.2024;31.12.2024 14:30;Vorspeise;"[""new"",""hot""]";',
        'Brot;4,5;90;FALSCH;1.2.24;45657;;;',
      ],
      '&locale=de',
    )
    expect(report.data).to.deep.include({ created: 2, failed: 0, errors: [] })
    expect(await dish('Suppe')).to.deep.include({
      ...{ price: 1234.5, calories: 1200, vegan: true, since: '2024-12-31' },
      ...{ opened: '2024-12-31T14:30:00.000Z', sizes: [] },
    })
    expect(await dish('Suppe')).to.have.nested.property('course.name', 'Vorspeise')
    expect(await dish('Suppe')).to.have.nested.property('tags[0].name', 'new')
    expect(await dish('Brot')).to.deep.include({
      ...{ price: 4.5, calories: 90, vegan: false, since: '2024-02-01' },
      ...{ opened: '2024-12-31T00:00:00.000Z', course: null, tags: [], sizes: [] },
    })
  })

  it('reports the errors of each row', async () => {
    const { data } = await imported(
      ['name;price;course', 'Reis;1.234;', 'Nudeln;2,50;Hauptgericht', 'Salz;viel;'],
      '&locale=de',
    )
    expect(data.errors).to.deep.equal([
      { row: 1, errors: ['price: 1.234 is ambiguous. Write 1234 or 1,234'] },
      {
        row: 2,
        errors: ['course: there is no api::course.course whose place or name is "Hauptgericht"'],
      },
      {
        row: 3,
        errors: [
          'price: price must be a `number` type, but the final value was: `NaN` (cast from the value `"viel"`).',
        ],
      },
    ])
  })

  it('reports an error for a decimal comma without a locale', async () => {
    const { data } = await imported(['name;price', 'Salat;4,50'], '')
    expect(data).to.deep.include({ created: 0, failed: 1 })
  })
})
