import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { sender } from '../../support/request.js'
import type { ServiceProcess } from '../../support/service-process.js'
import type { Ledger } from './ledger.js'
import type { LedgerSite } from './ledger-site.js'
import { quireCommand } from '../../support/quire-command.js'

type Parts = Readonly<{
  ledger: Ledger
  site: LedgerSite
  services: readonly ServiceProcess[]
  folder: string
}>

/**
 * Checks that every acknowledged write exists exactly once and completely, that no response was wrong, and that nothing
 * needs repair.
 */
export async function expectLedger({ ledger, site, services, folder }: Parts): Promise<void> {
  const { counts, expected, counters } = ledger
  const { token, env } = site
  if (counts.wrong.length > 0) for (const service of services) service.kill('SIGKILL')
  const logs = counts.wrong.length > 0 ? await Promise.all(services.map(({ ended }) => ended)) : []
  // Elections cause warnings and rejected requests, so only other lines of the log are shown.
  const errors = logs.flatMap(({ stdout, stderr }) =>
    `${stdout}\n${stderr}`
      .split('\n')
      .filter((line) => /"status":500|"level":60|^(?!\{)./.test(line)),
  )
  expect(counts.wrong, errors.slice(0, 5).join('\n')).to.deep.equal([])

  const [url = ''] = await Promise.all(services.map((service) => service.url))
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
  await expectUniqueSlugs(env['MONGODB_URI'] ?? '')
  // Throws if something needs repair, because the command then exits with 1.
  const repairCheck = await promisify(execFile)(
    process.execPath,
    [quireCommand, 'repair', '--check'],
    {
      env: { PATH: process.env['PATH'] ?? '', ...env, DATA_DIR: join(folder, 'repair') },
    },
  )
  process.stdout.write(`      ${repairCheck.stdout}`)
  for (const service of services) service.kill('SIGTERM')
  const ends = await Promise.all(services.map(({ ended }) => ended))
  expect(ends.map(({ code }) => code)).to.deep.equal(services.map(() => 0))
  // Elections must not appear in the log as errors.
  const loggedErrors = ends.flatMap(({ stdout }) => stdout.split('\n').filter(isError))
  expect(loggedErrors).to.deep.equal([])
}

const isError = (line: string): boolean => /"level":[56]0/.test(line)

async function expectUniqueSlugs(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri)
  try {
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
  } finally {
    await client.close()
  }
}
