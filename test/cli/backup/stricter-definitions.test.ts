import { readFile, rm } from 'node:fs/promises'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { LeftOut } from '../../../cli/import/left-out.js'
import type { ImportReport } from '../../../cli/import/import.js'
import { testDatabaseUri } from '../../support/database.js'
import { quireCommand } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { sender } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { folderForEach, writeFiles } from '../../support/temporary-folder.js'

type Attributes = Readonly<Record<string, object>>

const typeOf = (name: string, draftAndPublish: boolean, attributes: Attributes) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
})
const text = { type: 'string' }
const course = { type: 'enumeration', enum: ['starter', 'dessert'] }
const note = { type: 'component', component: 'menu.note' }
const notes = { ...note, repeatable: true }
const area = { type: 'relation', relation: 'manyToOne', target: 'api::area.area' }
const schemaOf = (dish: Attributes, place: Attributes, inNote: object) => ({
  'components/menu/note.json': {
    collectionName: 'components_menu_notes',
    info: { displayName: 'Note' },
    attributes: { text: inNote },
  },
  'content-types/dish.json': typeOf('dish', true, dish),
  'content-types/area.json': typeOf('area', false, place),
})
const loose = schemaOf({ name: text, code: text, course, note, notes, area }, { name: text }, text)
const strict = schemaOf(
  {
    name: { ...text, required: true },
    code: { ...text, unique: true },
    course: { ...course, enum: ['starter'] },
    note,
    notes,
    area,
    spicy: { type: 'boolean' },
  },
  { name: { ...text, minLength: 3, regex: '^(?!x)' } },
  { ...text, maxLength: 5 },
)

const strictAreas = schemaOf(
  { name: text, code: text, course, note, notes, area },
  { name: { ...text, minLength: 3 } },
  text,
)

const inSchemaFolder = (files: Readonly<Record<string, object>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [`schema/${name}`, file]))

type Entry = Readonly<{ documentId: string; name: string | null; area?: Entry | null }>
type Answer = Readonly<{ data: Entry }>
type List = Readonly<{ data: readonly Entry[] }>

describe('quire import into stricter definitions', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const makePlace = async (files: Readonly<Record<string, object>>) => {
    const databaseUri = await testDatabaseUri()
    const folder = await makeFolder(inSchemaFolder(files))
    const schemaDir = `${folder}/schema`
    const env = { MONGODB_URI: databaseUri, DATA_DIR: `${folder}/data`, SCHEMA_DIR: schemaDir }
    return {
      folder,
      run: (...args: readonly string[]) => runQuireInProcess(args, { env, cwd: folder }),
      serve: async <T>(task: (app: TestApp) => Promise<T>): Promise<T> => {
        const app = await startApp({ databaseUri, schemaDir })
        try {
          return await task(app)
        } finally {
          await app.stop()
        }
      },
      /** Makes a finished import look interrupted. */
      cutOff: async (how: object): Promise<void> => {
        const client = new MongoClient(databaseUri)
        await client.db().collection('_imports').updateOne({}, { $set: how })
        await client.close()
      },
    }
  }

  /** Exports entries that violate the strict definitions. Returns the archive, and the documentIds by violation. */
  const exportLoose = async (more: readonly object[] = []) => {
    const source = await makePlace(loose)
    const ids = await source.serve(async ({ request, token }) => {
      const create = async (type: string, data: object): Promise<string> => {
        const { status, body } = await request('POST', `/api/${type}`, { token, body: { data } })
        expect(status).to.equal(201)
        return (body as Answer).data.documentId
      }
      const [hall, bar] = [
        await create('areas', { name: 'Hall' }),
        await create('areas', { name: 'xy' }),
      ]
      const dish = (data: object) => create('dishs', data)
      const ids = {
        hall,
        bar,
        right: await dish({
          name: 'Soup',
          code: 'a',
          course: 'starter',
          note: { text: 'hot' },
          area: hall,
        }),
        twice: await dish({ name: 'Stew', code: 'a' }),
        wrong: await dish({ course: 'dessert', note: { text: 'too long' }, area: bar }),
      }
      const body = { data: { code: 'c' } }
      const { status } = await request('PUT', `/api/dishs/${ids.wrong}?status=draft`, {
        token,
        body,
      })
      expect(status).to.equal(200)
      for (const data of more) await dish(data)
      return ids
    })
    const archive = `${source.folder}/menu.tar.gz`
    expect(await source.run('export', archive, '--live')).to.include({ code: 0, stderr: '' })
    return { source, archive, ids }
  }

  /** Returns names and areas. Unlike `app.request`, accepts drafts with values that the definitions no longer allow. */
  const namesIn =
    ({ url, token }: TestApp) =>
    async (path: string) => {
      const { body } = await sender(url)('GET', path, { token })
      return (body as List).data.map(({ name, area }) => [name, area?.name])
    }

  it('imports disallowed published versions as drafts, and lists them and those it leaves out', async () => {
    const { archive, ids } = await exportLoose()
    const target = await makePlace(strict)
    const { code, stdout, stderr } = await target.run('import', archive)
    expect(code).to.equal(1)
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.includes('has a look-ahead')),
    ).to.deep.equal([])
    const json = await target.run('import', archive, '--json')
    const { entries } = JSON.parse(json.stdout) as ImportReport
    expect(entries['api::dish.dish']).to.deep.equal({
      ...{ archived: 6, published: 1, drafts: 3, leftOut: 2 },
    })
    expect(entries['api::area.area']).to.deep.equal({
      ...{ archived: 2, published: 1, drafts: 0, leftOut: 1 },
    })
    const stored = Object.values(entries)
      .map(({ published, drafts }) => published + drafts)
      .filter((count) => count > 0)
    const sum = stored.reduce((total, count) => total + count, 0)
    expect(stdout).to.include(`: ${sum} versions of entries of ${stored.length} types, `)
    expect(stdout).to.include('\nThe admins and their passwords are now those of the archive. ')
    const rows = 'entries/api::'
    expect(stdout.split('\n').slice(-6)).to.deep.equal([
      'These published versions were left out, because the definitions of this project do not allow them (entries that are drafts now: 2, that were not imported: 1):',
      `  api::area.area ${ids.bar} (not imported): name: name must be at least 3 characters; name: name must match the following: "/^(?!x)/" (${rows}area.area/published/00001.jsonl:2)`,
      `  api::dish.dish ${ids.twice} (draft): code: This attribute must be unique, and ${ids.right} has the same value (${rows}dish.dish/published/00001.jsonl:2)`,
      `  api::dish.dish ${ids.wrong} (draft with other values): name: name must be a \`string\` type, but the final value was: \`null\`.; course: course must be one of the following values: starter, ; note.text: note.text must be at most 5 characters (${rows}dish.dish/published/00001.jsonl:3)`,
      `Relations to entries that were not imported stay, but show nothing. To remove them: node ${quireCommand} repair`,
      '',
    ])

    await target.serve(async (app) => {
      const { request, token } = app
      const names = namesIn(app)
      expect(await names('/api/areas')).to.deep.equal([['Hall', undefined]])
      expect(await names('/api/dishs?populate=area')).to.deep.equal([['Soup', 'Hall']])
      expect(await names('/api/dishs?populate=area&status=draft')).to.deep.equal([
        ['Soup', 'Hall'],
        ['Stew', undefined],
        [null, undefined],
      ])
      expect(await names('/api/dishs?publicationFilter=modified')).to.deep.equal([])

      const path = `/api/dishs/${ids.twice}`
      const publish = () => request('POST', `${path}/actions/publish`, { token })
      expect((await publish()).status).to.equal(400)
      const body = { data: { code: 'b' } }
      expect((await request('PUT', `${path}?status=draft`, { token, body })).status).to.equal(200)
      expect((await publish()).status).to.equal(200)
      expect(await names('/api/dishs')).to.deep.equal([
        ['Soup', undefined],
        ['Stew', undefined],
      ])
    })
  })

  it('lists the same versions when resumed after an interruption', async () => {
    const { archive } = await exportLoose()
    const target = await makePlace(strict)
    const importAgain = async () => {
      const { code, stdout } = await target.run('import', archive)
      return { code, stdout }
    }
    const first = await importAgain()
    expect(first.code).to.equal(1)
    for (const how of [{ stage: 'finishing' }, { stage: 'writing', at: 0 }]) {
      await target.cutOff(how)
      expect(await importAgain()).to.deep.equal(first)
    }
    const { code, stdout } = await importAgain()
    expect(code).to.equal(1)
    const [line = '', heading, ...rows] = stdout.split('\n')
    expect(line).to.include('was already imported')
    expect(heading).to.equal(
      'These published versions were left out, because the definitions of this project did not allow them (entries that became drafts: 2, that were not imported: 1):',
    )
    expect(rows).to.deep.equal(first.stdout.split('\n').slice(-rows.length))
    expect(rows).to.have.length(5)
  })

  it('writes the full list to a file if it is too long for the screen', async () => {
    const more = Array.from({ length: 21 }, (_, at) => ({ name: `${at}`, course: 'dessert' }))
    const { archive } = await exportLoose(more)
    const target = await makePlace(strict)
    const { stdout } = await target.run('import', archive, '--only', 'api::dish.dish')
    const file = `${archive}.left-out.jsonl`
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.includes('(draft'))).to.have.length(20)
    expect(lines.at(-2)).to.equal(`  … The full list is in ${file}`)
    const all = (await readFile(file, 'utf8')).trim().split('\n')
    const listed = all.map((line) => JSON.parse(line) as LeftOut)
    expect(listed).to.have.length(23)

    const again = await target.run('import', archive, '--only', 'api::dish.dish')
    expect(again.code).to.equal(1)
    expect(again.stdout.split('\n').slice(2)).to.deep.equal(lines.slice(-22))
    await rm(file)
    const short = await target.run('import', archive, '--only', 'api::dish.dish')
    expect(short.stdout.split('\n').at(-2)).to.equal('  … and 3 more')

    const json = await target.run(
      'import',
      archive,
      '--only',
      'api::dish.dish',
      '--replace',
      '--json',
    )
    const report = JSON.parse(json.stdout) as ImportReport
    expect(report.leftOut).to.deep.equal(listed)
    expect(report.entries).to.deep.equal({
      'api::dish.dish': { archived: 48, published: 1, drafts: 24, leftOut: 23 },
    })
    expect(listed[0]?.errors).to.have.length(1)
  })

  it('keeps the first errors of a version with many, and counts the others', async () => {
    const notes = Array.from({ length: 1000 }, () => ({ text: 'too long' }))
    const { archive } = await exportLoose([{ name: 'Long', notes }])
    const target = await makePlace(strict)
    const args = ['import', archive, '--only', 'api::dish.dish']
    const { stdout } = await target.run(...args)
    const [, shown = '', more = ''] =
      /\n {2}api::dish\.dish \w+ \(draft\): (notes.*); … and (\d+) more \(/.exec(stdout) ?? []
    const errors = shown.split('; ')
    expect(errors.length + Number(more)).to.equal(1000)
    expect(errors[0]).to.equal('notes.0.text: notes[0].text must be at most 5 characters')
    expect(shown.length).to.be.within(16_000, 18_000)
    const again = await target.run(...args)
    expect(again.stdout.split('\n').slice(2)).to.deep.equal(stdout.split('\n').slice(-4))
  })

  it('refuses to turn draft & publish or localization on or off, and changes nothing', async () => {
    const { archive } = await exportLoose()
    const { 'content-types/dish.json': dish, 'content-types/area.json': place, ...rest } = loose
    const target = await makePlace({
      ...rest,
      'content-types/dish.json': { ...dish, options: { draftAndPublish: false } },
      'content-types/area.json': {
        ...place,
        options: { draftAndPublish: true },
        pluginOptions: { i18n: { localized: true } },
      },
    })
    for (const more of [[], ['--keep-definitions'], ['--exclude', 'schema']]) {
      const { code, stdout, stderr } = await target.run('import', archive, ...more)
      expect([code, stdout], stderr).to.deep.equal([1, ''])
      const lines = stderr.trim().split('\n')
      expect(lines.slice(-5, -1)).to.deep.equal([
        'An import cannot turn draft & publish or localization on or off, or change the type of an attribute:',
        '  api::area.area: draft & publish is off in the archive, and on in this project',
        '  api::area.area: localization is off in the archive, and on in this project',
        '  api::dish.dish: draft & publish is on in the archive, and off in this project',
      ])
      expect(lines.at(-1)).to.match(
        /^Import the archive with the definitions .* schema (-- )?apply`\.$/,
      )
    }
    await writeFiles(target.folder, inSchemaFolder(loose))
    expect(await target.run('import', archive)).to.include({ code: 0 })
  })

  it('refuses to change the type of an attribute, and imports other types', async () => {
    const { archive } = await exportLoose()
    const dish = { name: text, code: { type: 'integer' }, course, note, notes, area: text }
    const target = await makePlace(schemaOf(dish, { name: text }, { type: 'boolean' }))
    const refused = await target.run('import', archive, '--keep-definitions')
    expect(refused).to.include({ code: 1, stdout: '' })
    expect(refused.stderr.trim().split('\n').slice(-5)).to.deep.equal([
      'An import cannot turn draft & publish or localization on or off, or change the type of an attribute:',
      '  api::dish.dish: attributes.code is string in the archive, and integer in this project',
      '  api::dish.dish: attributes.area is manyToOne to api::area.area in the archive, and string in this project',
      '  menu.note: attributes.text is string in the archive, and boolean in this project',
      'Import the archive with the definitions of the archive. To change the type of an attribute, give the new attribute another name.',
    ])
    const only = ['import', archive, '--keep-definitions', '--only', 'api::area.area']
    expect(await target.run(...only)).to.include({ code: 0 })
  })

  it('requires a new required attribute only in published entries', async () => {
    const { archive } = await exportLoose()
    const required = { ...text, required: true }
    const dish = { name: text, code: text, course, note, notes, area, origin: required }
    const target = await makePlace(schemaOf(dish, { name: text }, text))
    const { code, stdout } = await target.run('import', archive)
    expect(code).to.equal(1)
    expect(stdout).to.include('(entries that are drafts now: 3, that were not imported: 0):')
    await target.serve(async (app) => {
      expect(await namesIn(app)('/api/dishs')).to.deep.equal([])
      expect(await namesIn(app)('/api/dishs?status=draft')).to.have.length(3)
      expect(await namesIn(app)('/api/areas')).to.have.length(2)
    })
  })

  it('restores invalid entries if the definitions equal those of the archive', async () => {
    const { source } = await exportLoose()
    await writeFiles(source.folder, inSchemaFolder(strictAreas))
    await source.serve(() => Promise.resolve())
    const archive = `${source.folder}/same.tar.gz`
    expect(await source.run('export', archive, '--live')).to.include({ code: 0, stderr: '' })
    const target = await makePlace(strictAreas)
    expect(await target.run('import', archive)).to.include({ code: 0, stderr: '' })
    const names = await target.serve(async (app) => namesIn(app)('/api/areas'))
    expect(names).to.deep.equal([
      ['Hall', undefined],
      ['xy', undefined],
    ])
  })
})
