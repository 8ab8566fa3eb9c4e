import { readFile, stat } from 'node:fs/promises'
import { pathToFileURL, fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import { testDatabaseUri } from '../support/database.js'
import { runQuire } from '../support/quire-command.js'
import { runService } from '../support/service-process.js'
import { folderForEach, writeFiles } from '../support/temporary-folder.js'
import {
  digestOf,
  largeDefinitions,
  storeContent,
  type Size,
} from './backup-memory/large-content.js'

const hook = pathToFileURL(
  fileURLToPath(new URL('backup-memory/note-peak.js', import.meta.url)),
).href
const large: Size = {
  documents: Number(process.env['DOCUMENTS'] ?? 100_000),
  mediaBytes: Number(process.env['MEDIA_MB'] ?? 1000) * 1_000_000,
}
const small: Size = { documents: large.documents / 10, mediaBytes: large.mediaBytes / 10 }
/**
 * Maximum ratio of the memory peaks of the large and the small backup. Even for the same size, peaks vary with V8's
 * garbage collections.
 */
const mostGrowth = 1.2
/** Limit for each peak in MB. The ratio alone would allow any amount of memory that does not depend on the size. */
const most = 220
/** Minimum documents. With fewer, the smaller backup finishes before its memory use is steady. */
const fewest = 50_000

describe(`backup of ${large.documents} documents and ${large.mediaBytes / 1e6} MB of files`, function () {
  this.timeout(3_600_000)
  const makeFolder = folderForEach()

  it(`uses at most ${mostGrowth} times the memory of a backup with a tenth of that`, async function () {
    if (process.platform !== 'linux' || large.documents < fewest) return this.skip()
    const tenth = await exportAndImport(small)
    const whole = await exportAndImport(large)
    for (const command of ['export', 'import'] as const)
      expect(whole[command], command).to.be.below(Math.min(most, tenth[command] * mostGrowth))
  })

  async function exportAndImport(
    size: Size,
  ): Promise<Readonly<Record<'export' | 'import', number>>> {
    const folder = await makeFolder({})
    await writeFiles(`${folder}/schema`, largeDefinitions)
    const place = async (name: string) => ({
      MONGODB_URI: await testDatabaseUri(),
      DATA_DIR: `${folder}/${name}`,
      SCHEMA_DIR: `${folder}/schema`,
    })
    const measured = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const PEAK_FILE = `${folder}/peak`
      const begun = performance.now()
      const { code, stderr } = await runQuire(args, {
        cwd: folder,
        env: { ...env, PEAK_FILE, NODE_OPTIONS: `--import=${hook}` },
      })
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
      const peak = Number(await readFile(PEAK_FILE, 'utf8')) / 1024
      const seconds = (performance.now() - begun) / 1000
      process.stdout.write(
        `      ${args[0] ?? ''} of ${size.documents} documents and ${size.mediaBytes / 1e6} MB: at most ${peak.toFixed(0)} MB, ${seconds.toFixed(0)} s\n`,
      )
      return peak
    }
    const from = await place('from')
    const service = runService(from, folder)
    await service.url
    service.kill('SIGTERM')
    await service.ended
    await over(from, (db) => storeContent(db, from.DATA_DIR, size))
    const archive = `${folder}/all.tar.gz`
    const written = await measured(from, 'export', archive, '--live')
    process.stdout.write(`      ${Math.round((await stat(archive)).size / 1e6)} MB of archive\n`)
    const into = await place('into')
    const read = await measured(into, 'import', archive)
    const expected = await over(from, (db) => digestOf(db, from.DATA_DIR))
    expect(expected['count']).to.equal(size.documents)
    expect(await over(into, (db) => digestOf(db, into.DATA_DIR))).to.deep.equal(expected)
    return { export: written, import: read }
  }
})

async function over<T>(
  { MONGODB_URI }: Readonly<{ MONGODB_URI: string }>,
  task: (db: Db) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(MONGODB_URI)
  try {
    return await task(client.db())
  } finally {
    await client.close()
  }
}
