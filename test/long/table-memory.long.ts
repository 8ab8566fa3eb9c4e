import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pathToFileURL, fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { connectDatabase } from '../../server/database/connect.js'
import { startDatabaseHost } from '../../server/database/host.js'
import { runQuire } from '../support/quire-command.js'
import { folderForEach, writeFiles } from '../support/temporary-folder.js'
import { largeDefinitions, storeStories } from './backup-memory/large-content.js'

const hook = pathToFileURL(
  fileURLToPath(new URL('backup-memory/note-peak.js', import.meta.url)),
).href
const rows = Number(process.env['ROWS'] ?? 100_000)
/**
 * Maximum ratio of the memory peaks of the large and the small table. Even for the same size, peaks vary with V8's
 * garbage collections.
 */
const mostGrowth = 1.2
/** Limit for each peak in MB. The ratio alone would allow any amount of memory that does not depend on the size. */
const most = 190
/** Minimum rows. With fewer, the smaller table is finished before memory use is steady. */
const fewest = 50_000

describe(`export of ${rows} rows`, function () {
  this.timeout(3_600_000)
  const makeFolder = folderForEach()

  it(`uses at most ${mostGrowth} times the memory of an export of a tenth of the rows`, async function () {
    if (process.platform !== 'linux' || rows < fewest) return this.skip()
    const tenth = await exported(rows / 10)
    const whole = await exported(rows)
    expect(whole).to.be.below(Math.min(most, tenth * mostGrowth))
  })

  /** Returns the peak memory of the command, in MB. */
  async function exported(count: number): Promise<number> {
    const folder = await makeFolder({})
    const dataDir = `${folder}/data`
    await writeFiles(`${folder}/schema`, largeDefinitions)
    const table = `${folder}/stories.jsonl`
    const PEAK_FILE = `${folder}/peak`
    const run = async (NODE_OPTIONS: string): Promise<void> => {
      const { code, stderr } = await runQuire(
        ['entries', 'export', '--type', 'story', '-o', table],
        {
          cwd: folder,
          env: { DATA_DIR: dataDir, SCHEMA_DIR: `${folder}/schema`, PEAK_FILE, NODE_OPTIONS },
        },
      )
      expect(code, stderr).to.equal(0)
    }
    // The first run creates the collection, because every command that opens the database does.
    await run('')
    const host = await startDatabaseHost({ dataDir, log: pino({ level: 'silent' }) })
    const client = await connectDatabase(host.uri, { appName: 'test' })
    await storeStories(client.db(), count)
    await client.close()
    await host.stop()
    const begun = performance.now()
    await run(`--import=${hook}`)
    const seconds = (performance.now() - begun) / 1000
    const peak = Number(await readFile(PEAK_FILE, 'utf8')) / 1024
    process.stdout.write(
      `      export of ${count} rows: at most ${peak.toFixed(0)} MB, ${seconds.toFixed(0)} s\n`,
    )
    let lines = 0
    for await (const line of createInterface({ input: createReadStream(table) }))
      if (line !== '') lines += 1
    expect(lines).to.equal(count)
    return peak
  }
})
