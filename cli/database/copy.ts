import { loadConfig } from '../../server/settings/config.js'
import { printReport } from '../print-json.js'
import { createCommandLog } from '../with-database.js'
import { copyDatabase, type CopyReport } from './copy-database.js'
import { openEnd } from './open-end.js'

/** Runs `quire database copy`. */
export async function copy(
  options: Readonly<{ to: string; from?: string; json: boolean }>,
): Promise<void> {
  const { to, from, json } = options
  const report = await copyBetween(from, to, json ? console.error : console.log)
  printReport(json, report, () => formatReport(report, to))
}

async function copyBetween(
  from: string | undefined,
  to: string,
  progress: (line: string) => void,
): Promise<CopyReport> {
  const config = loadConfig()
  const log = createCommandLog()
  const source = await openEnd(config, from, log, false)
  try {
    const target = await openEnd(config, to, log, true)
    try {
      const report = await copyDatabase(source, target, (name, { count, sum }) =>
        progress(`${name}: ${count} documents, checksum ${sum}`),
      )
      await target.claim()
      return report
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function formatReport(report: CopyReport, to: string): string {
  const next =
    to === 'embedded'
      ? 'Start the service without database.mongod and MONGODB_URI.'
      : to === 'mongod'
        ? 'Start the service with database.mongod.'
        : 'Start the service with MONGODB_URI.'
  if (report.kind === 'was-copied')
    return `The copy was already made at ${report.at.toISOString()}. ${next}`
  return `Copied and compared: ${report.collections} collections, ${report.documents} documents. ${next}`
}
