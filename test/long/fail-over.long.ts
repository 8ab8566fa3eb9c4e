import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { isReplicaSet } from '../support/database-server.js'
import { sender } from '../support/request.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { startApp, testSecrets } from '../support/start-app.js'
import { keepLedger, type Ledger } from './fail-over/ledger.js'
import { startReplicaSet, type ReplicaSet } from './fail-over/replica-set.js'

const rounds = Number(process.env['ROUNDS'] ?? 50)
const kinds = ['stepDown', 'kill', 'freeze', 'cut'] as const
/** In turns; `FAULTS=freeze,cut` for some of them. */
const faults = kinds.filter((kind) => (process.env['FAULTS'] ?? kind).split(',').includes(kind))
const i18n = { i18n: { localized: true } }
const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    pluginOptions: i18n,
    attributes: {
      title: { type: 'string', pluginOptions: i18n },
      slug: { type: 'string', unique: true, pluginOptions: i18n },
      count: { type: 'integer' },
      label: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::label.label',
        inversedBy: 'notes',
      },
    },
  },
  'content-types/label.json': {
    kind: 'collectionType',
    info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
    attributes: {
      name: { type: 'string' },
      notes: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::note.note',
        mappedBy: 'label',
      },
    },
  },
}
const repairScript = fileURLToPath(new URL('../../scripts/repair.js', import.meta.url))

describe('Two instances over a replica set of three whose primary fails', function () {
  this.timeout(3_600_000)
  let folder = ''
  let set: ReplicaSet | undefined
  const services: ServiceProcess[] = []
  before(async function () {
    const mongod = process.env['MONGOMS_SYSTEM_BINARY']
    // The embedded engine has no replica sets.
    if (!isReplicaSet() || mongod === undefined) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'quire-fail-over-'))
    set = await startReplicaSet(mongod, folder)
    for (const [name, definition] of Object.entries(schema)) {
      const path = join(folder, 'schema', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, JSON.stringify(definition))
    }
  })
  after(async () => {
    for (const service of services) service.kill('SIGKILL')
    await set?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('loses, doubles and halves nothing that was acknowledged, and answers no 500', async () => {
    if (set === undefined) return
    const app = await startApp({ databaseUri: set.uri, schema })
    const { token, adminJwt } = app
    const french = { code: 'fr', name: 'French', isDefault: false }
    const made = await app.request('POST', '/i18n/locales', { token: adminJwt, body: french })
    expect(made.status).to.be.within(200, 201)
    await app.stop()
    const env = {
      ...{ ...testSecrets, MONGODB_URI: set.uri, SCHEMA_DIR: join(folder, 'schema') },
    }
    for (const name of ['a', 'b'])
      services.push(runService({ ...env, DATA_DIR: join(folder, name) }, folder))
    const urls = await Promise.all(services.map(({ url }) => url))

    let isOver = false
    const ledger = keepLedger(urls, token, () => isOver)
    const times: Record<(typeof kinds)[number], number[]> = {
      stepDown: [],
      kill: [],
      freeze: [],
      cut: [],
    }
    for (let round = 0; round < rounds; round += 1) {
      await sleep(3000 + Math.random() * 3000)
      const fault = faults[round % faults.length] ?? 'kill'
      const { back, own } = await failOnce(set, fault, ledger)
      times[fault].push(back)
      process.stdout.write(`      ${round} ${fault}: back after ${back} ms (MongoDB: ${own} ms)\n`)
    }
    await sleep(2000)
    isOver = true
    await ledger.over
    const { counts, expected, counters } = ledger
    process.stdout.write(
      `      ${JSON.stringify({ rounds, ...counts, wrong: counts.wrong.length, times })}\n`,
    )
    if (counts.wrong.length > 0) for (const service of services) service.kill('SIGKILL')
    const logs =
      counts.wrong.length > 0 ? await Promise.all(services.map(({ ended }) => ended)) : []
    const errors = logs.flatMap(({ stdout, stderr }) =>
      `${stdout}\n${stderr}`
        .split('\n')
        .filter((line) => line.includes('"status":500') || line.includes('"stack"')),
    )
    expect(counts.wrong, errors.slice(0, 5).join('\n')).to.deep.equal([])

    const [url = ''] = urls
    const get = (path: string) => sender(url)('GET', path, { token })
    for (const [id, wanted] of expected) {
      const { status, body } = await get(`/api/notes/${id}?populate=label`)
      if (wanted === null) expect(status, id).to.equal(404)
      else {
        const { data } = body as {
          data: { title: string; count: number; label: { documentId: string } | null }
        }
        const { title, count, label } = data
        expect({ title, count, label: label?.documentId ?? null }, id).to.deep.equal(wanted)
        const other = await get(`/api/notes/${id}?locale=fr`)
        expect(other.body, id).to.have.nested.property('data.count', wanted.count)
      }
    }
    for (const [id, { acknowledged, maybe }] of counters) {
      const { body } = await get(`/api/notes/${id}`)
      const count = (body as { data: { count: number } }).data.count
      expect(count).to.be.within(acknowledged, acknowledged + maybe)
    }
    const client = await MongoClient.connect(set.uri)
    for (const collection of ['notes', 'notes.draft']) {
      const twice = await client
        .db()
        .collection(collection)
        .aggregate([
          { $match: { slug: { $type: 'string' }, locale: 'en' } },
          { $group: { _id: '$slug', count: { $sum: 1 } } },
          { $match: { count: { $gt: 1 } } },
        ])
        .toArray()
      expect(twice, collection).to.deep.equal([])
    }
    await client.close()
    // Ends with 1 where there is something to mend.
    const told = await promisify(execFile)(process.execPath, [repairScript, '--check'], {
      env: { PATH: process.env['PATH'] ?? '', ...env, DATA_DIR: join(folder, 'c') },
    })
    process.stdout.write(`      ${told.stdout}`)
    for (const service of services) service.kill('SIGTERM')
    const codes = await Promise.all(services.map(async ({ ended }) => (await ended).code))
    expect(codes).to.deep.equal([0, 0])
  })
})

/**
 * How long after the election (or the step-down) a write that began then was acknowledged, in milliseconds: by Quire,
 * and by the majority of the members without it.
 */
async function failOnce(
  set: ReplicaSet,
  fault: (typeof kinds)[number],
  { firstAfter }: Ledger,
): Promise<Readonly<{ back: number; own: number }>> {
  const failed = await set.primary()
  const before = performance.now()
  if (fault === 'stepDown') await set.stepDown(failed)
  else if (fault === 'kill') await set.kill(failed)
  else if (fault === 'freeze') set.freeze(failed)
  else set.cut(failed)
  const elected = fault === 'stepDown' ? before : await set.primary().then(() => performance.now())
  const [back, own] = await Promise.all([firstAfter(elected), majorityAfter(set.uri)])
  if (fault === 'kill') await set.start(failed)
  if (fault === 'freeze') set.thaw(failed)
  if (fault === 'cut') set.mend(failed)
  return { back: Math.round(back - elected), own: Math.round(own - elected) }
}

/** When the members acknowledge a write of the driver alone. */
async function majorityAfter(uri: string): Promise<number> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 })
  const tries = client.db('beside').collection('tries')
  try {
    await tries.insertOne({}, { writeConcern: { w: 'majority' } })
    return performance.now()
  } finally {
    await client.close()
  }
}
