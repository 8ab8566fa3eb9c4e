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
    command.error('error: --secrets reads the database directly, and cannot be used with a service')
  if (secrets && (await runningService(loadConfig())) !== undefined)
    throw new Error('--secrets reads the database directly. Stop the service first')
  const remote = await serviceOf(command, service)
  const options = { file, requested: { only, exclude }, live, secrets }
  const report = await (remote === undefined
    ? exportBackup(options)
    : exportRemote(remote, options))
  printReport(json, report, formatExport)
}

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
          `Files without content: ${missing.names.join(', ')}${missing.count > missing.names.length ? `, … (${missing.count})` : ''}`,
        ]),
    ...(report.tokensAreLost ? [lostTokens] : []),
    ...(report.secrets
      ? ['It contains the secrets of the service. Store it as safely as a password.']
      : []),
  ].join('\n')
}

const momentText: Readonly<Record<ExportReport['moment'], string>> = {
  alone: 'All content is as of one moment: there were no other writes.',
  snapshot: 'All content is as of one moment, while others wrote.',
  live: 'Each entry is as it was when it was read. Entries can be of different moments.',
}

const lostTokens =
  'It contains hashes of API tokens, but not the secret of the hashes. If the database is lost, you must create the tokens again. To avoid this, export with --secrets, or set API_TOKEN_SALT.'
