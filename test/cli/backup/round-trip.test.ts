import { rm, stat } from 'node:fs/promises'
import { expect } from 'chai'
import { createApiClient } from '../../../cli/seed/api-client.js'
import type { ExportReport } from '../../../cli/export/export-backup.js'
import type { ImportReport } from '../../../cli/import/import.js'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'
import { impatiently } from '../../support/impatiently.js'
import { runQuire } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { placeMagazine } from './filled-magazine.js'
import {
  answersOf,
  inItsOwnProcess,
  inThisProcess,
  login,
  magazineEnv,
  magazinesForEach,
  makeToken,
} from './magazine.js'

const isSet = isReplicaSet()

describe('quire export and import', function () {
  this.timeout(300_000)
  const makeFolder = folderForEach()
  const startMagazine = magazinesForEach(inThisProcess)
  const startAsProcess = magazinesForEach(inItsOwnProcess)

  type Run = <T>(
    env: Readonly<Record<string, string>>,
    cwd: string,
    ...args: readonly string[]
  ) => Promise<T>
  const runBy =
    (quire: typeof runQuire): Run =>
    async <T>(...[env, cwd, ...args]: Parameters<Run>): Promise<T> => {
      const { code, stdout, stderr } = await quire([...args, '--json'], { env, cwd })
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      return JSON.parse(stdout) as T
    }
  const run = runBy(runQuireInProcess)
  const runAsProcess = runBy(runQuire)

  it('restore every response and file, and give later entries higher ids', async () => {
    const folder = await makeFolder({})
    const from = magazineEnv(`${folder}/from`)
    const { token, answers: expected } = await placeMagazine(from)
    const source = await startMagazine(from, folder)
    const file = `${folder}/backup.tar.gz`
    const refused = await impatiently(() =>
      runQuireInProcess(['export', file, '--secrets'], { env: from, cwd: folder }),
    )
    expect(refused.code).to.equal(1)
    expect(refused.stderr).to.equal(
      '--secrets reads the database directly. Stop the service first\n',
    )
    await source.stop()

    const report = await runAsProcess<ExportReport>(from, folder, 'export', file, '--secrets')
    expect(report).to.include({ moment: 'alone', secrets: true, tokens: 1, tokensAreLost: false })
    expect(report.entries['api::article.article']?.drafts).to.be.above(20)
    expect(report.missing.count).to.equal(0)
    expect((await stat(file)).mode & 0o777).to.equal(0o600)

    // Files move to another provider, but keep their URLs.
    const into = magazineEnv(`${folder}/into`, {
      MONGODB_URI: await testDatabaseUri(),
      UPLOAD_PROVIDER: 'gridfs',
    })
    const imported = await runAsProcess<ImportReport>(into, folder, 'import', file)
    const whole = Object.entries(report.entries).map(([uid, { published, drafts }]) => [
      uid,
      { archived: published + drafts, published, drafts, leftOut: 0 },
    ])
    expect(imported.entries).to.deep.equal(Object.fromEntries(whole))
    for (const command of [
      ['repair', '--check'],
      ['media', 'check'],
    ]) {
      const { code, stdout } = await runQuireInProcess(command, { env: into, cwd: folder })
      expect(code, stdout).to.equal(0)
    }
    const target = await startMagazine(into, folder)
    const answers = await answersOf(target.base, token)
    expect(withoutProvider(answers)).to.deep.equal(withoutProvider(expected))

    const client = createApiClient(target.base, token)
    const largest = await client.get<{ data: readonly { id: number }[] }>(
      '/api/tags?sort=id:desc&pagination[pageSize]=1',
    )
    const { data } = await client.post<{ data: { id: number } }>('/api/tags', {
      data: { name: 'New', slug: 'new' },
    })
    expect(data.id).to.be.above(largest.data[0]?.id ?? Infinity)
    const logIn = await fetch(`${target.base}/api/auth/local`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ identifier: 'reader@example.com', password: 'Passw0rd!' }),
    })
    expect(logIn.status).to.equal(200)
    await target.stop()

    const again = await runQuireInProcess(['import', file], { env: into, cwd: folder })
    expect(again).to.include({ code: 0, stderr: '' })
    const other = `${folder}/other.tar`
    await run<ExportReport>(into, folder, 'export', other, '--live')
    const importOfOther = await runQuireInProcess(['import', other], { env: into, cwd: folder })
    expect(importOfOther.code).to.equal(1)
    expect(importOfOther.stderr).to.match(/^The database already has content \(.*--replace\)\n$/)
    // `--replace` also removes the content that was created since the first import.
    await run<ImportReport>(into, folder, 'import', file, '--replace')
    const third = await startMagazine(into, folder)
    expect(withoutProvider(await answersOf(third.base, token))).to.deep.equal(
      withoutProvider(expected),
    )
    await third.stop()
  })

  it('export a snapshot of a replica set while a service runs, and need --live on other servers', async () => {
    const folder = await makeFolder({})
    const uri = await testDatabaseUri()
    const from = magazineEnv(`${folder}/from`, {
      MONGODB_URI: uri,
      API_TOKEN_SALT: 'a salt of theirs',
    })
    const { answers: expected } = await placeMagazine(from)
    const source = await startMagazine(from, folder)
    const token = await makeToken(source.admin, 'Another')
    const file = `${folder}/backup.tar`
    const first = await runQuireInProcess(['export', file, '--json'], { env: from, cwd: folder })
    expect(first.code).to.equal(isSet ? 0 : 1)
    if (isSet) expect((JSON.parse(first.stdout) as ExportReport).moment).to.equal('snapshot')
    else {
      expect(first.stderr).to.match(/has no snapshots.*--live/)
      const report = await run<ExportReport>(from, folder, 'export', file, '--live')
      expect(report).to.include({ moment: 'live', tokensAreLost: false })
    }
    await source.stop()
    const into = { ...from, DATA_DIR: `${folder}/into`, MONGODB_URI: await testDatabaseUri() }
    await run<ImportReport>(into, folder, 'import', file)
    const target = await startMagazine(into, folder)
    expect(await answersOf(target.base, token)).to.deep.equal(expected)
    await target.stop()
  })

  it('export every response and file of a running service with --url', async () => {
    const folder = await makeFolder({})
    const uri = isSet ? { MONGODB_URI: await testDatabaseUri() } : {}
    const from = magazineEnv(`${folder}/from`, uri)
    const { answers: expected } = await placeMagazine(from)
    const source = await startAsProcess(from, folder)
    const file = `${folder}/backup.tar.gz`
    if (!isSet) {
      // Remove this file, which a command in another container does not find either.
      await rm(`${folder}/from/service.json`)
      const inUse =
        `The database in ${folder}/from/database is in use by another process: HOLDER. ` +
        'Stop process PID first.'
      const advice = ' Or use the service that has it: --url http://localhost:1337.'
      for (const [args, more] of [
        [['export', file], advice],
        [['config', 'pull'], advice],
        [['repair'], ''],
      ] as const) {
        const { code, stdout, stderr } = await impatiently(() =>
          runQuireInProcess(args, { env: from, cwd: folder }),
        )
        const unnamed = stderr
          .replace(/: \d+ \(.+\), started by \d+ \(.+\)\./, ': HOLDER.')
          .replace(/process \d+ first/, 'process PID first')
        expect({ code, stdout, unnamed }, args[0]).to.deep.equal({
          ...{ code: 1, stdout: '', unnamed: `${inUse}${more}\n` },
        })
      }
    }
    const admin = { ADMIN_EMAIL: login.email, ADMIN_PASSWORD: login.password }
    const args = ['export', file, '--url', source.base, '--json']
    const { code, stdout, stderr } = await runQuire(args, { env: admin, cwd: folder })
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const report = JSON.parse(stdout) as ExportReport
    expect(report).to.deep.include({ file, secrets: false, tokens: 1, tokensAreLost: true })
    expect(report.moment).to.equal(isSet ? 'snapshot' : 'alone')
    expect(report.files.count).to.be.above(10)
    await source.stop()

    const target = isSet ? { MONGODB_URI: await testDatabaseUri() } : {}
    const into = magazineEnv(`${folder}/into`, target)
    const imported = await runQuire(['import', file], { env: into, cwd: folder })
    expect({ code: imported.code, stderr: imported.stderr }).to.deep.equal({ code: 0, stderr: '' })
    const second = await startMagazine(into, folder)
    const token = await makeToken(second.admin, 'Another')
    expect(await answersOf(second.base, token)).to.deep.equal(expected)
    await second.stop()
  })
})

/** The provider is the only value that may differ. */
const withoutProvider = (answers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(answers).map(([path, text]) => [
      path,
      text.replaceAll(/"provider":"(?:local|gridfs)"/g, '"provider":""'),
    ]),
  )
