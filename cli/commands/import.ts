import type { QuireCommand } from '../quire-command.js'
import { collectOften } from '../collect-often.js'
import { addSelectionOptions } from './selection-options.js'

export function addImport(program: QuireCommand): void {
  addSelectionOptions(
    program
      .command('import')
      .summary('imports a backup into an empty database')
      .description(
        'Imports an archive of `quire export` into the database of this project. Ids, times and responses stay the same, and new entries get higher ids. Stop all services on this database first, and do not use it during the import. The command compares the whole archive with its checksums before it changes anything. If an import is interrupted, run it again with the same archive and options: it continues, and no service starts until it is done. Entries that the definitions of this project do not allow become drafts, or are left out and listed. Exits with code 1 if the import was refused or failed, or if a published version was not imported.',
      )
      .argument('<file>', 'the archive'),
  )
    .option('--replace', 'first removes the existing content of everything that is imported', false)
    .option(
      '--keep-definitions',
      'uses the definitions of this project, even if those of the archive store entries differently (not for another draft & publish, localization or attribute type)',
      false,
    )
    .option('--json', 'prints the report as JSON', false)
    .runs(async () => {
      collectOften()
      return (await import('../import/import.js')).importArchive
    })
    .addExamples({
      'import monday.tar.gz': 'into an empty database',
      'import monday.tar.gz --replace': 'replaces existing content',
      'import blog.tar.gz --only api::article.article --replace': 'articles alone',
    })
}
