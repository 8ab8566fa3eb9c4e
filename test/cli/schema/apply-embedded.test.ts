import { join } from 'node:path'
import { expect } from 'chai'
import type { Quire } from '../../../server/lifecycle/start.js'
import { runQuire } from '../../support/quire-command.js'
import { sender } from '../../support/request.js'
import { startInProcess } from '../../support/service-in-process.js'
import { folderForEach, writeFiles } from '../../support/temporary-folder.js'
import { dishSchema, type Turned } from './dish-site.js'

describe('quire schema apply with the embedded engine', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()
  const opened: Quire[] = []
  afterEach(async () => {
    for (const quire of opened.splice(0)) await quire.stop()
  })

  it('is refused while the service runs, and converts entries after it has stopped', async () => {
    const folder = await makeFolder({})
    const env = { DATA_DIR: join(folder, 'data'), SCHEMA_DIR: join(folder, 'schema') }
    const define = (turned: Turned) => writeFiles(join(folder, 'schema'), dishSchema(turned))
    const open = async () => {
      const quire = await startInProcess(env, folder)
      opened.push(quire)
      const draft = {
        name: `${opened.length}`,
        description: '',
        type: 'full-access',
        permissions: [],
      } as const
      const { accessKey } = await quire.access.tokens.create({ ...draft, lifespan: null }, null)
      const send = sender(quire.url)
      const dishes = async (query = '') =>
        (await send('GET', `/api/dishes?fields=name${query}`, { token: accessKey })).body
      const create = (name: string) =>
        send('POST', '/api/dishes', { token: accessKey, body: { data: { name } } })
      return { quire, dishes, create }
    }
    const apply = () =>
      runQuire(['schema', 'apply'], { env: { ...env, QUIRE_FOLDER_WAIT_MS: '0' }, cwd: folder })
    await define({})
    const first = await open()
    await first.create('Pho')
    const before = await first.dishes()

    await define({ drafts: true, locales: true })
    await writeFiles(folder, { 'node_modules/.bin/quire': '' })
    const refused = await apply()
    expect([refused.code, refused.stdout]).to.deep.equal([1, ''])
    expect(refused.stderr.trim()).to.match(
      /A running service uses the database\. Stop it, run `npx quire schema apply`, and start it again\. The database/,
    )
    await first.quire.stop()
    const unstarted = await startInProcess(env, folder).catch(String)
    expect(unstarted).to.include('Convert them: npm run schema -- apply (while no service runs)')

    const { code, stdout, stderr } = await apply()
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.equal(
      'api::dish.dish: gave the locale en and drafts to 1 entry\n' +
        `The definitions in ${env.SCHEMA_DIR} are the newest now. Start the service.\n`,
    )
    const second = await open()
    expect(await second.dishes()).to.deep.equal(before)
    const drafts = (await second.dishes('&status=draft')) as { data: readonly object[] }
    expect(drafts.data).to.have.length(1)
    expect((await second.create('Pie')).status).to.equal(201)
  })
})
