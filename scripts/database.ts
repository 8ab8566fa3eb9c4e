/**
 * `npm run database -- copy --to embedded|mongod|URI`: copies all content between the embedded engine, a MongoDB that
 * Quire looks after, and one of others, and compares both ends. `--from` names another source than the settings do.
 * A URI with a password is better given as `env:NAME`, the name of a variable. One that was cut off goes on when it
 * is run again.
 */
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { loadConfig } from '../server/settings/config.js'
import { copyDatabase, type CopyReport } from './database/copy-database.js'
import { openEnd } from './database/open-end.js'

const usage =
  'Usage: npm run database -- copy --to embedded|mongod|URI|env:NAME [--from embedded|mongod|URI|env:NAME]'

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, from: { type: 'string' } },
  })
  const [command, ...others] = positionals
  if (command !== 'copy' || others.length > 0 || values.to === undefined) throw new Error(usage)
  console.log(tell(await copy(values.from, values.to), values.to))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function copy(from: string | undefined, to: string): Promise<CopyReport> {
  const config = loadConfig()
  const log = pino({ level: 'warn' }, pino.destination(2))
  const source = await openEnd(config, from, log, false)
  try {
    const target = await openEnd(config, to, log, true)
    try {
      const report = await copyDatabase(source, target, {
        onCollection: (name, { count, sum }) =>
          console.log(`${name}: ${count} documents, checksum ${sum}`),
      })
      await target.claim()
      return report
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function tell(report: CopyReport, to: string): string {
  const next =
    to === 'embedded'
      ? 'Start the service without database.mongod and MONGODB_URI.'
      : to === 'mongod'
        ? 'Start the service with database.mongod.'
        : 'Start the service with MONGODB_URI.'
  if (report.kind === 'was-copied') return `This was copied at ${report.at.toISOString()}. ${next}`
  return `Copied and compared: ${report.collections} collections, ${report.documents} documents. ${next}`
}
