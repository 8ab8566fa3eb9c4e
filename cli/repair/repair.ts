import { explainFinding, runRepair, type RepairReport } from '../../server/repair/run-repair.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { printReport } from '../print-json.js'
import { withContent } from '../with-database.js'

/** Runs `quire repair`. Returns whether nothing remains to repair. */
export async function repair(
  options: Readonly<{ check: boolean; json: boolean }>,
): Promise<boolean> {
  const { check, json } = options
  // Interrupting this command is safe, because the next run finds the remains that this one has not repaired.
  const report = await withContent(
    'repair',
    (content) => runRepair({ ...content, repairs: !check }),
    { notes: true },
  )
  printReport(json, { leftovers: report }, () => formatReport(report, check))
  return report.every(({ found, repaired }) => found === repaired)
}

/** Returns a line for each kind of finding and collection, with the first documentIds. */
function formatReport(report: RepairReport, isCheck: boolean): string {
  if (report.length === 0) return 'The content is consistent.'
  const lines = report.map(({ kind, collection, found, repaired, documentIds }) => {
    const count = isCheck || found === repaired ? `${found}` : `${repaired} of ${found}`
    const more = found > documentIds.length ? ', …' : ''
    return `${collection}: ${count} × ${explainFinding(kind, repaired > 0)} (${documentIds.join(', ')}${more})`
  })
  const end = isCheck ? `Nothing was changed. To repair this: ${ownCommand('repair')}` : 'Repaired.'
  return [...lines, end].join('\n')
}
