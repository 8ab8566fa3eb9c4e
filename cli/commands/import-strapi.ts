import type { QuireCommand } from '../quire-command.js'
import { addImportOptions } from './import-options.js'

export function addImportStrapi(program: QuireCommand): void {
  addImportOptions(
    program
      .command('import-strapi')
      .summary('imports an archive of `strapi export` (Strapi 5)')
      .description(
        'Imports an archive of `strapi export` (Strapi 5) into the database of this project: definitions, content with its documentIds, record ids and times, files, users with their passwords, roles and locales. Stop all services on this database first, and do not use it during the import. If an import is interrupted, run it again with the same archive: it continues. A finished import is not repeated. The report lists what was imported, adapted and left out, and what to do next. Exits with code 1 if the import was refused or failed; with --dry-run, if it would be refused.',
      )
      .argument('<export>', 'the archive: `.tar` or `.tar.gz`, also encrypted (`.enc`)')
      .option(
        '--key <key>',
        'key of an encrypted archive, or `env:NAME` for a key in the environment',
      ),
    'the export',
  )
    .runs(async () => (await import('../import-strapi/import-strapi.js')).importStrapi)
    .addExamples({
      'import-strapi export.tar.gz --dry-run': 'reports what would be imported',
      'import-strapi export.tar.gz': 'into an empty database',
      'import-strapi export.tar.gz.enc --key env:EXPORT_KEY': 'an encrypted archive',
      'import-strapi newer.tar.gz --replace': 'again, replacing existing content',
    })
}
