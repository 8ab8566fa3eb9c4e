import { expect } from 'chai'
import { testDatabaseUri } from '../support/database.js'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { folderForEach } from '../support/temporary-folder.js'

type Given = Readonly<Record<string, unknown>>

const file = 'schema/content-types/stall.json'
const stall = (attributes: Given, more: Given = {}) => ({
  [file]: {
    kind: 'collectionType',
    info: { singularName: 'stall', pluralName: 'stalls', displayName: 'Stall' },
    attributes,
    ...more,
  },
})
const text = { type: 'string' }
const served = { name: text, details: { type: 'text' } }

describe('quire check, doctor, schema and schema diff over changed definitions', function () {
  this.timeout(120_000)
  const folderOf = folderForEach()
  let app: TestApp
  let databaseUri: string
  beforeEach(async () => {
    databaseUri = await testDatabaseUri()
    const schema = { 'content-types/stall.json': stall(served)[file] }
    app = await startApp({ databaseUri, schema })
    for (const name of ['a', 'a', 'b'])
      await app.request('POST', '/api/stalls', {
        ...{ token: app.token, body: { data: { name, details: `of ${name}` } } },
      })
  })
  afterEach(() => app.stop())

  const run = async (
    folder: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    const { code, stdout, stderr } = await runQuireInProcess(args, {
      cwd: folder,
      env: { MONGODB_URI: databaseUri, ...env },
    })
    return { code, out: stdout.replaceAll(folder, '.'), err: stderr.replaceAll(folder, '.') }
  }
  const removalEffect =
    './schema/content-types/stall.json: attributes.details: it is removed, and 3 entries have a value in it, which stays in the database but is not shown. If "summary" is its new name, add there: "renamedFrom": "details"'

  it('print the effects on values, and the line that keeps the values', async () => {
    const folder = await folderOf(stall({ name: text, summary: { type: 'text' } }))
    expect(await run(folder, ['schema'])).to.deep.equal({
      ...{ code: 0, err: '' },
      out: `The definitions in ./schema are new. The next start makes them the newest.\n${removalEffect}\n`,
    })
    const checked = await run(folder, ['check'])
    expect(checked.code).to.equal(0)
    expect(checked.out).to.match(/\n\nIt would start\.\n$/)
    expect(checked.out).to.include(
      `\n\nEffects on stored content\n  ${removalEffect.replace('./schema/', '')}\n\n`,
    )
    const json = await run(folder, ['check', '--json'])
    expect((JSON.parse(json.out) as Given).content).to.deep.equal({ effects: [removalEffect] })
    const examined = await run(folder, ['doctor', '--json'])
    const { starts, findings } = JSON.parse(examined.out) as {
      starts: boolean
      findings: readonly Given[]
    }
    expect(starts).to.equal(true)
    expect(findings.at(-1)).to.deep.equal({
      check: 'content',
      state: 'warning',
      says: removalEffect,
    })
    const shown = [
      '- api::stall.stall attributes.details: {"type":"text"}',
      '+ api::stall.stall attributes.summary: {"type":"text"}',
      ...['', 'Effects on stored content', `  ${removalEffect}`, ''],
    ].join('\n')
    expect(await run(folder, ['schema', 'diff'])).to.deep.equal({ code: 1, out: shown, err: '' })
    const remote = await run(folder, ['schema', 'diff', '--url', app.url], {
      ...{ QUIRE_ADMIN_TOKEN: app.adminJwt, MONGODB_URI: '' },
    })
    expect(remote).to.deep.equal({ code: 1, out: shown, err: '' })
  })

  it('print that renamedFrom keeps values, and print nothing if nothing changed', async () => {
    const renamed = { type: 'text', renamedFrom: 'details' }
    const folder = await folderOf(stall({ name: text, summary: renamed }))
    expect((await run(folder, ['schema'])).out).to.include(
      'attributes.summary: it was renamed from "details", and 3 entries have a value in it, which is still shown',
    )
    const same = await folderOf(stall(served))
    expect((await run(same, ['schema'])).out).to.equal(
      'The definitions in ./schema are the newest.\n',
    )
    expect(await run(same, ['schema', 'diff'])).to.deep.equal({
      ...{ code: 0, out: 'There are no differences.\n', err: '' },
    })
    expect((await run(same, ['check'])).out).to.not.include('stored content')
    const examined = await run(same, ['doctor'])
    expect(examined.out).to.include('content      The definitions do not change it.')
  })

  it('name a folder that does not exist', async () => {
    const folder = await folderOf(stall(served))
    for (const args of [['check'], ['schema', 'diff']]) {
      const { code, out, err } = await run(folder, [...args, 'nowhere'])
      expect(code, args.join(' ')).to.equal(1)
      expect(out + err, args.join(' ')).to.match(/(^|\n)There is no folder \.\/nowhere\n$/)
    }
  })

  it('print a changed order of attributes', async () => {
    const { name, details } = served
    const folder = await folderOf(stall({ details, name }))
    expect(await run(folder, ['schema', 'diff'])).to.deep.equal({
      ...{ code: 1, err: '' },
      out: '~ api::stall.stall attributes: ["name","details"] → ["details","name"]\n',
    })
  })

  for (const [what, attributes, more, problem] of [
    [
      'a unique attribute with duplicate values',
      { ...served, name: { ...text, unique: true } },
      {},
      /attributes\.name\.unique: it cannot be unique, because documents in "stalls" have the same value: "a" \(\w{24}, \w{24}\)\. Change them, or remove "unique"/,
    ],
    [
      'draft & publish turned on',
      served,
      { options: { draftAndPublish: true } },
      /options\.draftAndPublish: api::stall\.stall cannot change from false to true/,
    ],
    [
      'localization turned on',
      served,
      { pluginOptions: { i18n: { localized: true } } },
      /i18n\.localized: api::stall\.stall cannot change from false to true/,
    ],
  ] as const)
    it(`report that a start would refuse ${what}`, async () => {
      const folder = await folderOf(stall(attributes, more))
      const checked = await run(folder, ['check'])
      expect([checked.code, checked.out.includes('It would start.')]).to.deep.equal([1, false])
      expect(checked.out)
        .to.match(problem)
        .and.include('It would not start:\nThe schema has a problem')
      const printedSchema = await run(folder, ['schema'])
      expect([printedSchema.code, printedSchema.out]).to.deep.equal([1, ''])
      expect(printedSchema.err).to.match(problem)
      const examined = await run(folder, ['doctor'])
      expect(examined.code).to.equal(1)
      expect(examined.out).to.match(problem).and.include('\nIt would not start.\n')
      const shown = await run(folder, ['schema', 'diff'])
      expect(shown.code).to.equal(1)
      expect(shown.out).to.match(problem)
    })

  it('print all effects on stored content even if a start would refuse one of them', async () => {
    const folder = await folderOf(
      stall({ name: { ...text, unique: true }, summary: { type: 'text' } }),
    )
    const refusal =
      /attributes\.name\.unique: it cannot be unique, because documents in "stalls" have the same value/
    const printedSchema = await run(folder, ['schema'])
    expect([printedSchema.code, printedSchema.out]).to.deep.equal([1, ''])
    expect(printedSchema.err)
      .to.match(refusal)
      .and.include(`\nOther effects on stored content:\n  ${removalEffect}\n`)
    const checked = await run(folder, ['check', '--json'])
    const { problem, content } = JSON.parse(checked.out) as Given
    expect([checked.code, problem]).to.deep.equal([1, (content as Given).problem])
    expect(problem).to.match(refusal).and.to.not.include('leaves')
    expect((content as Given).effects).to.deep.equal([removalEffect])
    const examined = await run(folder, ['doctor', '--json'])
    const findings = (JSON.parse(examined.out) as { findings: readonly Given[] }).findings
    expect(findings.slice(-2)).to.deep.equal([
      { check: 'content', state: 'problem', says: problem },
      { check: 'content', state: 'warning', says: removalEffect },
    ])
    const shown = await run(folder, ['schema', 'diff', '--json'])
    const { state, effects } = JSON.parse(shown.out) as Given
    expect(state).to.equal('new')
    expect((effects as readonly Given[]).map(({ kind, refused }) => [kind, refused])).to.deep.equal(
      [
        ['attribute-gone', false],
        ['unique', true],
      ],
    )
    const printed = await run(folder, ['schema', 'diff'])
    expect(printed.out)
      .to.include(`\n\nEffects on stored content\n  ${removalEffect}\n\nIt would not start:\n`)
      .and.match(refusal)
  })

  it('report for older definitions that going back is refused, not that a start would fail', async () => {
    const unique = { ...text, unique: true }
    const MONGODB_URI = await testDatabaseUri()
    const start = (attributes: Given) => {
      const schema = { 'content-types/stall.json': stall(attributes)[file] }
      return startApp({ databaseUri: MONGODB_URI, schema })
    }
    await (await start({ name: unique })).stop()
    const { request, token, stop } = await start({ name: text })
    for (const name of ['a', 'a'])
      await request('POST', '/api/stalls', { token, body: { data: { name } } })
    await stop()
    const folder = await folderOf(stall({ name: unique }))
    const printed = await run(folder, ['schema', 'diff'], { MONGODB_URI })
    expect(printed.out).to.match(
      /^\+ api::stall\.stall attributes\.name\.unique: true\n\nGoing back to them would be refused:\nThe schema has a problem:\n/,
    )
  })

  it('report that stored content could not be read if the database is unavailable, and exit with 1', async () => {
    const folder = await folderOf({ ...stall(served), ...{ 'other/content-types/a.json': {} } })
    const MONGODB_URI = 'mongodb://127.0.0.1:1/a?serverSelectionTimeoutMS=500'
    const checked = await run(folder, ['check'], { MONGODB_URI })
    expect(checked.code).to.equal(1)
    expect(checked.out).to.match(
      /\n\nEffects on stored content\n {2}It could not be read: Cannot use the database at [^]*\n\nIt is unknown whether it would start: stored content could not be read\.\n$/,
    )
  })
})
