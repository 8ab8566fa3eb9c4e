import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { runQuire } from '../../support/quire-command.js'
import { startRoundRobin } from '../../support/round-robin.js'
import { startApp } from '../../support/start-app.js'
import { testSecrets } from '../../support/test-secrets.js'
import { clientOf } from './client.js'
import { definitions } from './definitions.js'
import { openInstances, schemaDir, type Instances } from './instances.js'
import { checkEntry } from './ledger.js'
import { startLoad, type Load, type Pools } from './load.js'
import type { Side } from './stories.js'

/** Several instances that share a database, and clients that use them through load balancers. */
export type Site = Readonly<{
  /** Whether instances keep serving their own definitions while others have newer ones, instead of adopting them. */
  servesOn: boolean
  instances: Instances
  load: Load
  /** Makes the definitions of `side` the newest again, with `quire schema --go-back`. */
  goBack: (side: Side) => Promise<void>
  /** Checks that all instances serve every acknowledged write, and that nothing needs repair. */
  check: (served: Side) => Promise<void>
  close: () => Promise<void>
}>

type SiteOptions = Readonly<{
  count: number
  writers: number
  servesOn: boolean
  /** URI of an existing database. Default: a new database on the tests' server. */
  databaseUri?: string | undefined
}>

/** Starts instances with the former definitions. Clients send no requests before `load.open` is called. */
export async function openSite({
  count,
  writers,
  servesOn,
  databaseUri,
}: SiteOptions): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-rolling-'))
  const uri = databaseUri ?? (await testDatabaseUri())
  const app = await startApp({ databaseUri: uri, schema: definitions('former') })
  const { token, adminJwt } = app
  const french = { code: 'fr', name: 'French', isDefault: false }
  await app.request('POST', '/i18n/locales', { token: adminJwt, body: french })
  await app.stop()
  const [all, former, newer] = await Promise.all([
    startRoundRobin(),
    startRoundRobin(),
    startRoundRobin(),
  ])
  const pools: Pools = { all, former, newer }
  const env = {
    ...{ ...testSecrets, MONGODB_URI: uri, UPLOAD_PROVIDER: 'gridfs' },
    HTTP_SHUTDOWN_DELAY_MS: '1000',
  }
  const instances = await openInstances(folder, env, pools, servesOn)
  for (let at = 0; at < count; at += 1) await instances.start('former')
  const load = startLoad(pools, token, writers)
  const run = async (name: string, option: string, side: Side): Promise<string> => {
    const own = { DATA_DIR: join(folder, 'commands'), SCHEMA_DIR: schemaDir(folder, side) }
    const { stdout, stderr } = await runQuire([name, option], { env: { ...env, ...own } })
    return stdout + stderr
  }
  return {
    servesOn,
    instances,
    load,
    goBack: async (side) => {
      // Repeats the command, because an election can interrupt it.
      const isElection = 'operation was interrupted'
      let output = await run('schema', '--go-back', side)
      while (output.includes(isElection)) output = await run('schema', '--go-back', side)
      expect(output).to.include('are the newest now')
    },
    check: async (served) => {
      expect(load.counts.failures).to.deep.equal([])
      const client = clientOf(all.url, token, load.counts)
      for (const entry of load.entries) await checkEntry(entry, client, served)
      expect(await run('repair', '--check', served)).to.include('The content is consistent')
      expect(await findTwice(uri)).to.deep.equal([])
    },
    close: async () => {
      instances.kill()
      await Promise.all(Object.values(pools).map(({ close }) => close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Finds unique values that several published entries of the same locale have. */
async function findTwice(uri: string): Promise<readonly unknown[]> {
  const client = await MongoClient.connect(uri)
  const notes = client.db().collection('notes')
  const found = await Promise.all(
    ['slug', 'code', 'badge'].map((field) =>
      notes
        .aggregate([
          { $match: { [field]: { $type: 'string' } } },
          { $group: { _id: { value: `$${field}`, locale: '$locale' }, count: { $sum: 1 } } },
          { $match: { count: { $gt: 1 } } },
        ])
        .toArray(),
    ),
  )
  await client.close()
  return found.flat()
}
