import type { QuireCommand } from '../quire-command.js'
import { collectOften } from '../collect-often.js'
import { listOption } from './list-option.js'

/** `quire import`. */
export function addImport(program: QuireCommand): void {
  program
    .command('import')
    .summary('brings a backup into an empty database')
    .description(
      'Imports what `quire export` wrote into the database that the service would use, which nobody else may use meanwhile: ids, times and answers are as they were, and what comes after is numbered above it. All of the archive is compared with its checksums before anything is changed. One that was cut off goes on when it is run again, with the same archive; until then no service starts. Entries that the definitions here do not allow any more become drafts, or are left out and listed. Exits with code 1 if it was refused or failed, or if a published version was not imported.',
    )
    .argument('<file>', 'the archive')
    .option('--only <names>', 'parts and uids of content-types, with commas', listOption, [])
    .option('--exclude <names>', 'the same, without them', listOption, [])
    .option('--replace', 'takes away first what is there of that', false)
    .option(
      '--keep-definitions',
      'imports by the definitions that are here, also where those of the archive store entries in another way',
      false,
    )
    .option('--json', 'the report as JSON', false)
    .runs(async () => {
      collectOften()
      return (await import('../import/import.js')).importArchive
    })
    .addExamples({
      'import monday.tar.gz': 'into an empty database',
      'import monday.tar.gz --replace': 'replaces what is there',
      'import blog.tar.gz --only api::article.article --replace': 'articles alone',
    })
}
