import type { QuireCommand } from '../quire-command.js'
import { partMeanings, parts } from '../../server/backup/parts.js'
import { collectOften } from '../collect-often.js'
import { withService } from '../admin-service.js'
import { listOption } from './list-option.js'

/** `quire export`. */
export function addExport(program: QuireCommand): void {
  withService(program.command('export'))
    .summary('writes a backup of everything into one file')
    .description(
      `Writes what the database that the service would use holds, and the content of files, into one archive, as of one moment: ${parts.map((part) => `${part} (${partMeanings[part]})`).join(', ')}. On a replica set it may run beside services; the embedded engine, and a MongoDB that Quire looks after, belong to one process at a time: if a service runs on one, the command asks that service: writes wait while it reads the database. What it writes may be read by its owner alone. Exits with code 1 if it could not be written.`,
    )
    .argument('<file>', 'the archive: `.tar`, `.tar.gz` or `.tar.zst` (Node 22.15); new')
    .option('--only <names>', 'parts and uids of content-types, with commas', listOption, [])
    .option('--exclude <names>', 'the same, without them', listOption, [])
    .option(
      '--live',
      'each entry as it is when it is read, where the database cannot show one moment',
      false,
    )
    .option(
      '--secrets',
      'with the secrets that the database keeps, so that API tokens go on',
      false,
    )
    .option('--json', 'the report as JSON', false)
    .runs(async () => {
      collectOften()
      return (await import('../export/export.js')).runExport
    })
    .addExamples({
      'export monday.tar.gz': 'everything but secrets',
      'export all.tar.gz --secrets': 'everything',
      'export monday.tar.gz --url http://localhost:1337': 'through a service that runs',
      'export types.tar --only schema': 'the definitions alone',
      'export blog.tar.gz --only api::article.article,media': 'articles and files',
    })
}
