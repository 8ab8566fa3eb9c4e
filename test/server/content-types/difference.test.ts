import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const path = 'content-types/stall.json'
const text = { type: 'string' }
const stall = (attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: 'stall', pluralName: 'stalls', displayName: 'Stall' },
  attributes,
})
const [older, served] = [stall({ name: text }), stall({ name: text, details: text })]

describe('/content-type-builder/difference', function () {
  this.timeout(60_000)
  let app: TestApp
  before(async () => {
    const databaseUri = await testDatabaseUri()
    await (await startApp({ databaseUri, schema: { [path]: older } })).stop()
    app = await startApp({ databaseUri, schema: { [path]: served } })
    for (const name of ['a', 'a', 'b'])
      await app.request('POST', '/api/stalls', {
        ...{ token: app.token, body: { data: { name, details: `of ${name}` } } },
      })
  })
  after(() => app.stop())

  const uid = 'api::stall.stall'
  const difference = async (definition: object, of = uid) => {
    const definitions = [{ kind: 'content-type', uid: of, source: path, definition }]
    const { status, body } = await app.request('POST', '/content-type-builder/difference', {
      ...{ token: app.adminJwt, body: { definitions } },
    })
    expect(status).to.equal(200)
    return (body as { data: Readonly<Record<string, unknown>> }).data
  }
  const at = { uid, source: path, more: false, refused: false }
  const removed = { uid, path: 'attributes.details', kind: 'removed', from: text }
  const leaves = {
    ...{ ...at, kind: 'attribute-gone', path: 'attributes.details', count: 3 },
    message:
      'it is removed, and 3 entries have a value in it, which stays in the database but is not shown. To show it in another attribute, add there: "renamedFrom": "details"',
  }

  it('returns no differences if the service serves the definitions', async () => {
    expect(await difference(served)).to.deep.equal({
      ...{ state: 'newest', differences: [], effects: [], warnings: [] },
    })
  })

  it('distinguishes new definitions from older ones', async () => {
    const views = { type: 'integer' }
    expect(await difference(stall({ name: text, views }))).to.deep.equal({
      state: 'new',
      differences: [removed, { uid, path: 'attributes.views', kind: 'added', to: views }],
      ...{ effects: [leaves], warnings: [] },
    })
    expect(await difference(older)).to.deep.equal({
      ...{ state: 'older', differences: [removed], effects: [leaves], warnings: [] },
    })
  })

  it('compares a renamed type with its previous definition', async () => {
    const renamed = {
      ...stall({ name: text }),
      ...{ renamedFrom: uid, collectionName: 'stalls' },
      info: { singularName: 'booth', pluralName: 'booths', displayName: 'Stall' },
    }
    const booth = { uid: 'api::booth.booth' }
    const { differences } = await difference(renamed, booth.uid)
    expect(differences).to.have.deep.members([
      { ...booth, path: 'renamedFrom', kind: 'added', to: uid },
      { ...booth, path: 'collectionName', kind: 'added', to: 'stalls' },
      { ...booth, path: 'info.singularName', kind: 'changed', from: 'stall', to: 'booth' },
      { ...booth, path: 'info.pluralName', kind: 'changed', from: 'stalls', to: 'booths' },
      { ...booth, path: 'attributes.details', kind: 'removed', from: text },
    ])
  })

  it('returns all effects and the problem if a start would fail', async () => {
    const unique = { ...text, unique: true }
    const refused = await difference(stall({ name: unique }))
    const [, duplicates] = refused['effects'] as readonly Readonly<Record<string, unknown>>[]
    expect(duplicates?.['message']).to.match(
      /^it cannot be unique, because documents in "stalls" have the same value: "a" \(\w{24}, \w{24}\)\. Change them/,
    )
    expect(refused).to.deep.equal({
      state: 'new',
      differences: [{ uid, path: 'attributes.name.unique', kind: 'added', to: true }, removed],
      effects: [
        leaves,
        {
          ...{ ...at, kind: 'unique', path: 'attributes.name.unique', count: 1, refused: true },
          message: duplicates?.['message'],
        },
      ],
      warnings: [],
      problem: `The schema has a problem:\n  ${path}: attributes.name.unique: ${String(duplicates?.['message'])}`,
    })
  })

  it('returns the warnings of a start', async () => {
    const { warnings } = await difference(
      stall({ name: { ...text, requird: true }, details: text }),
    )
    expect(warnings).to.deep.equal([
      `${path}: attributes.name.requird is unknown. Did you mean required?`,
    ])
  })

  it('returns the problem of invalid definitions', async () => {
    const wrong = await difference(stall({ name: { type: 'strin' } }))
    expect(wrong['problem']).to.equal(
      `The schema has a problem:\n  ${path}: attributes.name.type: there is no attribute type "strin"; did you mean "string"?`,
    )
  })
})
