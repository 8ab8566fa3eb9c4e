import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { runQuire, type Ran } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { conformanceModel } from '../../support/conformance-model.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('quire entries', function () {
  this.timeout(120_000)
  const folderOf = folderForEach()
  let app: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    app = await startApp({ databaseUri })
  })
  after(() => app?.stop())

  type Run = (args: readonly string[], cwd: string, quire?: typeof runQuire) => Promise<Ran>
  const ways: Readonly<Record<string, Run>> = {
    'through a service': (args, cwd, quire = runQuireInProcess) =>
      quire(['entries', ...args, '--url', app.url], {
        cwd,
        env: { QUIRE_ADMIN_TOKEN: app.adminJwt },
      }),
    'on the database': (args, cwd, quire = runQuireInProcess) =>
      quire(['entries', ...args], {
        cwd,
        env: { MONGODB_URI: databaseUri, SCHEMA_DIR: conformanceModel },
      }),
  }
  let round = 0
  for (const [way, run] of Object.entries(ways))
    it(`imports rows, reports failed rows, and exports the entries ${way}`, async () => {
      const prefix = `round-${(round += 1)}`
      const folder = await folderOf({})
      const count = 520
      const names = Array.from({ length: count }, (_, at) => `${prefix} ${at}`)
      const table = ['name', ...names, `${prefix} 0,too many`, ''].join('\n')
      await writeFile(join(folder, 'tags.csv'), table)
      const into = ['import', 'tags.csv', '--type', 'tag']
      const failure = `row ${count + 1}: has 2 cells, but there are 1 column names\n`

      const tried = await run([...into, '--dry-run'], folder, runQuire)
      expect(tried.code, tried.stderr).to.equal(1)
      expect(tried.stdout).to.equal(
        `${failure}${count + 1} rows: ${count} would be created, 0 updated, 1 failed.\n`,
      )
      const done = await run([...into, '--json'], folder)
      expect(done.code, done.stderr).to.equal(1)
      expect(JSON.parse(done.stdout)).to.deep.include({ created: count, failed: 1, next: null })

      const filters = `filters[name][$startsWith]=${prefix} `
      const out = ['export', '--type', 'tag', '--filters', filters, '-o']
      const exported = await run([...out, 'out.jsonl'], folder, runQuire)
      expect(exported.code, exported.stderr).to.equal(0)
      const lines = (await readFile(join(folder, 'out.jsonl'), 'utf8')).trim().split('\n')
      const found = lines.map((line) => (JSON.parse(line) as { name: string }).name)
      expect(found.sort()).to.deep.equal(names.sort())

      const again = await run(['import', 'out.jsonl', '--type', 'tag'], folder)
      expect(again.code, again.stderr).to.equal(0)
      expect(again.stdout).to.equal(`${count} rows: 0 created, ${count} updated, 0 failed.\n`)
    })

  for (const [way, run] of Object.entries(ways)) {
    it(`reports the imported rows and the next row if the table is cut off ${way}`, async () => {
      const folder = await folderOf({})
      const names = Array.from({ length: 520 }, (_, at) => `${way} ${at}`)
      await writeFile(join(folder, 'cut.csv'), ['name', ...names, '"cut'].join('\n'))
      const { code, stdout } = await run(['import', 'cut.csv', '--type', 'tag'], folder)
      expect(code).to.equal(1)
      const [summary, ended, next] = stdout.split('\n')
      expect(summary).to.match(/^(500|520) rows: \1 created, 0 updated, 0 failed\.$/)
      const row = Number(summary?.split(' ')[0]) + 1
      expect(ended).to.match(new RegExp(`^The import ended before row ${row}: The file is not CSV`))
      expect(next).to.equal(`To continue, use --from ${row}.`)
    })

    it(`keeps the digits of long numbers ${way}`, async () => {
      const folder = await folderOf({})
      const [title, rating] = [`Long, ${way}`, '12345678901234567890.123456789']
      const meta = '{"whole":12345678901234567890,"part":[0.12345678901234567890,"\\\\ud8001"]}'
      const line = `{"title":${JSON.stringify(title)},"meta":${meta},"rating":${rating}}`
      await writeFile(join(folder, 'long.jsonl'), `${line}\n`)
      const done = await run(['import', 'long.jsonl', '--type', 'article'], folder)
      expect(done.code, done.stderr).to.equal(0)
      const search = `fields=meta,rating&filters[title]=${encodeURIComponent(title)}`
      const { text, body } = await app.request('GET', `/api/articles?${search}`, {
        token: app.token,
      })
      expect(text).to.match(new RegExp(`"rating":"?${rating}`))
      const [found] = (body as { data: { meta: unknown }[] }).data
      expect(found?.meta).to.deep.equal(JSON.parse(meta))
    })

    it(`exits with 1 if the table is missing ${way}`, async () => {
      const folder = await folderOf({})
      const { code, stdout, stderr } = await run(['import', 'missing.csv', '--type', 'tag'], folder)
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr.split('\n').slice(-2)).to.deep.equal([
        'missing.csv: there is no such file or folder',
        '',
      ])
    })

    it(`exits with 1 if the folder of the output is missing ${way}`, async () => {
      const folder = await folderOf({})
      const args = ['export', '--type', 'tag', '-o', 'missing/tags.csv']
      const { code, stdout, stderr } = await run(args, folder)
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr.split('\n').slice(-2)).to.deep.equal([
        'missing/tags.csv: there is no folder missing',
        '',
      ])
    })
  }

  it('exits with 1 if the content-type is unknown', async () => {
    const folder = await folderOf({})
    const run = ways['through a service']
    const { code, stdout, stderr } = (await run?.(['export', '--type', 'tga'], folder)) ?? {}
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.include('There is no collection type tga')
  })
})
