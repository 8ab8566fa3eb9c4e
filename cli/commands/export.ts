import type { QuireCommand } from '../quire-command.js'
import { partMeanings, parts } from '../../server/backup/parts.js'
import { collectOften } from '../collect-often.js'
import { withService } from '../admin-service.js'
import { addSelectionOptions } from './selection-options.js'

export function addExport(program: QuireCommand): void {
  addSelectionOptions(
    withService(program.command('export'))
      .summary('writes a backup of everything into one file')
      .description(
        `Writes the content of the database and of all files into one archive, as of one moment: ${parts.map((part) => `${part} (${partMeanings[part]})`).join(', ')}. On a replica set, it can run alongside services. If a service uses the embedded engine, or a MongoDB that Quire runs, the command sends its request to that service, and writes wait while the service reads the database. Only the owner of the archive can read it. Exits with code 1 if the archive could not be written.`,
      )
      .argument('<file>', 'the new archive: `.tar`, `.tar.gz` or `.tar.zst` (Node 22.15)'),
  )
    .option(
      '--live',
      'exports each entry as it is when it is read, for a database without snapshots',
      false,
    )
    .option(
      '--secrets',
      'includes the secrets in the database, so that API tokens stay valid',
      false,
    )
    .option('--json', 'prints the report as JSON', false)
    .runs(async () => {
      collectOften()
      return (await import('../export/export.js')).runExport
    })
    .addExamples({
      'export monday.tar.gz': 'everything but secrets',
      'export all.tar.gz --secrets': 'everything',
      'export monday.tar.gz --url http://localhost:1337': 'through a running service',
      'export types.tar --only schema': 'definitions only',
      'export blog.tar.gz --only api::article.article,media': 'articles and files',
    })
}
