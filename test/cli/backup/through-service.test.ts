import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { ExportReport } from '../../../cli/export/export-backup.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuire } from '../../support/quire-command.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { placeMagazine } from './filled-magazine.js'
import {
  answersOf,
  inItsOwnProcess,
  inThisProcess,
  magazineEnv,
  magazinesForEach,
  makeToken,
} from './magazine.js'

const login = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'Correct-Horse-9' }
const isSet = process.env['TEST_REPLICA_SET'] === 'true'

describe('quire export --url', function () {
  this.timeout(300_000)
  const makeFolder = folderForEach()
  const startAsProcess = magazinesForEach(inItsOwnProcess)
  const startMagazine = magazinesForEach(inThisProcess)

  it('exports every response and file of a running service', async () => {
    const folder = await makeFolder({})
    const uri = isSet ? { MONGODB_URI: await testDatabaseUri() } : {}
    const from = magazineEnv(`${folder}/from`, uri)
    const { answers: expected } = await placeMagazine(from)
    const source = await startAsProcess(from, folder)
    const file = `${folder}/backup.tar.gz`
    if (!isSet) {
      const inUse =
        `The database in ${folder}/from/database is in use by another process: HOLDER. ` +
        'Stop that process, set DATA_DIR to another folder, or set MONGODB_URI.'
      const advice = ' A service that runs is asked by --url http://localhost:1337.'
      for (const [args, more] of [
        [['export', file], advice],
        [['config', 'pull'], advice],
        [['repair'], ''],
      ] as const) {
        const { code, stdout, stderr } = await runQuireInProcess(args, { env: from, cwd: folder })
        const unnamed = stderr.replace(/: \d+ \(.+\), started by \d+ \(.+\)\./, ': HOLDER.')
        expect({ code, stdout, unnamed }, args[0]).to.deep.equal({
          ...{ code: 1, stdout: '', unnamed: `${inUse}${more}\n` },
        })
      }
    }
    const args = ['export', file, '--url', source.base, '--json']
    const { code, stdout, stderr } = await runQuire(args, { env: login, cwd: folder })
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

  it('leaves no file if the response is cut off or an error', async () => {
    const folder = await makeFolder({})
    const cutting = createServer((request, response) => {
      if (request.url?.includes('exclude=media') === true) {
        response.writeHead(400, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ error: { message: 'No such thing' } }))
        return
      }
      response.writeHead(200)
      response.write(Buffer.alloc(4096, 1), () => response.destroy())
    })
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`
      const ask = async (...more: readonly string[]) =>
        runQuireInProcess(['export', `${folder}/a.tar`, '--url', url, '--token', 'x', ...more], {
          env: {},
          cwd: folder,
        })
      const cut = await ask()
      expect(cut.code).to.equal(1)
      expect(cut.stderr).to.match(/was cut off on its way/)
      const refused = await ask('--exclude', 'media')
      expect(refused.code).to.equal(1)
      expect(refused.stderr).to.match(/answered with 400[^]*No such thing/)
      expect((await ask('--secrets')).code).to.equal(2)
      expect(await readdir(folder)).to.deep.equal([])
    } finally {
      cutting.close()
    }
  })
})
