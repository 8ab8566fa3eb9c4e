import { explanations, runRepair, type RepairReport } from '../../server/repair/run-repair.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { printReport } from '../print-json.js'
import { withContent } from '../with-database.js'

/** What `quire repair` does; answers whether nothing is left. */
export async function repair(
  options: Readonly<{ check: boolean; json: boolean }>,
): Promise<boolean> {
  const { check, json } = options
  // What it changes is what others left, and is left again where it is cut off.
  const report = await withContent(
    'repair',
    (content) => runRepair({ ...content, mends: !check }),
    { notes: true },
  )
  printReport(json, { leftovers: report }, () => tell(report, check))
  return report.every(({ found, repaired }) => found === repaired)
}

/** One line for each kind of leftover and collection, with the first documentIds. */
function tell(report: RepairReport, isCheck: boolean): string {
  if (report.length === 0) return 'The content is in order.'
  const lines = report.map(({ kind, collection, found, repaired, documentIds }) => {
    const count = isCheck || found === repaired ? `${found}` : `${repaired} of ${found}`
    const more = found > documentIds.length ? ', …' : ''
    return `${collection}: ${count} × ${explanations[kind]} (${documentIds.join(', ')}${more})`
  })
  const end = isCheck ? `Nothing was changed. To mend this: ${ownCommand('repair')}` : 'Repaired.'
  return [...lines, end].join('\n')
}
