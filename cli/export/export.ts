import { countText } from '../../engine/values/count-text.js'
import { printReport } from '../print-json.js'
import type { SelectionRequest } from '../../server/backup/selection.js'
import { loadConfig } from '../../server/settings/config.js'
import { runningService, serviceOf, type GivenService } from '../admin-service.js'
import type { QuireCommand } from '../quire-command.js'
import { exportBackup, type ExportOptions, type ExportReport } from './export-backup.js'
import { exportRemote } from './export-remote.js'

type Given = SelectionRequest &
  GivenService &
  Pick<ExportOptions, 'live' | 'secrets'> &
  Readonly<{ json: boolean }>

/** Runs `quire export`. */
export async function runExport(
  file: string,
  { only, exclude, json, live, secrets, ...service }: Given,
  command: QuireCommand,
): Promise<void> {
  if (secrets && service.url !== undefined)
    command.error('error: --secrets needs the database itself, and cannot be asked of a service')
  if (secrets && (await runningService(loadConfig())) !== undefined)
    throw new Error('--secrets needs the database itself: stop the service first')
  const remote = await serviceOf(command, service)
  const options = { file, requested: { only, exclude }, live, secrets }
  const report = await (remote === undefined
    ? exportBackup(options)
    : exportRemote(remote, options))
  printReport(json, report, formatExport)
}

/** Formats the report for people. */
function formatExport(report: ExportReport): string {
  const { file, bytes, checksum, entries, files, missing, tokens } = report
  const types = Object.entries(entries).filter(([, one]) => one.published + one.drafts > 0)
  const width = Math.max(...types.map(([uid]) => uid.length), 0)
  return [
    `${file}: ${Math.ceil(bytes / 1000)} KB, ${checksum}`,
    momentText[report.moment],
    ...types.map(
      ([uid, { published, drafts }]) =>
        `  ${uid.padEnd(width)}  ${published} published${drafts > 0 ? `, ${countText(drafts, 'draft')}` : ''}`,
    ),
    `  ${countText(files.count, 'file')} with ${Math.round(files.bytes / 1000)} KB, ${countText(tokens, 'API token')}`,
    ...(missing.count === 0
      ? []
      : [
          `Content of files that is not there: ${missing.names.join(', ')}${missing.count > missing.names.length ? `, … (${missing.count})` : ''}`,
        ]),
    ...(report.tokensAreLost ? [lostTokens] : []),
    ...(report.secrets ? ['The secrets of the service are in it: keep it like a password.'] : []),
  ].join('\n')
}

const momentText: Readonly<Record<ExportReport['moment'], string>> = {
  alone: 'As of one moment: nobody else had the database, or wrote into it.',
  snapshot: 'As of one moment, beside what others wrote.',
  live: 'Each entry is as it was when it was read; others may be from a moment before or after.',
}

const lostTokens =
  'API tokens are in it as hashes, without the secret that they are hashed with: where the database is gone they have to be made again. Export with --secrets, or set API_TOKEN_SALT.'
