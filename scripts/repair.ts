/**
 * `npm run repair`: finds and mends what interrupted writes left behind, in the database that the service
 * would use. `-- --check` only tells, and ends with code 1 where there is something to mend.
 */
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createRegistryFrom } from '../engine/schema/define-registry.js'
import { loadConfig } from '../server/settings/config.js'
import { checkFormat } from '../server/content-types/check-format.js'
import { openPresence } from '../server/repair/presence.js'
import { storageFormat } from '../engine/database/storage-format.js'
import { readDefinitions } from '../server/content-types/definition-store.js'
import { sourced } from '../server/content-types/merge-definitions.js'
import { ownDatabase } from '../engine/database/own-database.js'
import { connectDatabase } from '../server/database/connect.js'
import { startDatabaseHost } from '../server/database/host.js'
import { hostOptions } from '../server/database/host-options.js'
import type { RepairReport } from '../server/repair/run-repair.js'
import { explanations, runRepair } from '../server/repair/run-repair.js'

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const report = await repair(!values.check)
  console.log(tell(report, values.check))
  const isDone = report.every(({ found, repaired }) => found === repaired)
  if (!isDone) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function repair(mends: boolean): Promise<RepairReport> {
  const config = loadConfig()
  const log = pino({ level: 'warn' }, pino.destination(2))
  const host = await startDatabaseHost({ ...hostOptions(config), log })
  try {
    const client = await connectDatabase(host.uri, { appName: 'quire repair' })
    try {
      const db = await ownDatabase(client)
      const { definitions, version } = await readDefinitions(db)
      // Who raises the format waits for this as for a service.
      const presence = await openPresence(db, {
        log,
        alone: host.alone,
        // What it changes is what others left, and is left again where it is cut off.
        notes: true,
        schemaVersion: () => version,
      })
      try {
        const format = definitions.length > 0 ? await checkFormat(db) : storageFormat
        presence.started()
        const registry = createRegistryFrom(definitions.map(sourced), version)
        return await runRepair({ db, registry, format, mends })
      } finally {
        await presence.leave()
      }
    } finally {
      await client.close()
    }
  } finally {
    await host.stop()
  }
}

/** One line for each kind of leftover and collection, with the first documentIds. */
function tell(report: RepairReport, isCheck: boolean): string {
  if (report.length === 0) return 'The content is in order.'
  const lines = report.map(({ kind, collection, found, repaired, documentIds }) => {
    const count = isCheck || found === repaired ? `${found}` : `${repaired} of ${found}`
    const more = found > documentIds.length ? ', …' : ''
    return `${collection}: ${count} × ${explanations[kind]} (${documentIds.join(', ')}${more})`
  })
  const end = isCheck ? 'Nothing was changed. To mend this: npm run repair' : 'Repaired.'
  return [...lines, end].join('\n')
}
