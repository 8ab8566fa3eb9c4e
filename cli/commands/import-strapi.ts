import type { QuireCommand } from '../quire-command.js'
import { addImportOptions } from './import-options.js'

/** `quire import-strapi`. */
export function addImportStrapi(program: QuireCommand): void {
  addImportOptions(
    program
      .command('import-strapi')
      .summary('imports what `strapi export` of a Strapi 5 wrote')
      .description(
        'Imports what `strapi export` of a Strapi 5 wrote into the database that the service would use, which nobody else may use meanwhile: definitions, content with its documentIds, record ids and times, files, users with their passwords, roles and locales. One that was cut off goes on when it is run again, with the same archive; one that was done is done. Says at its end what was imported, what was adapted, what was left out, and what to do next. Exits with code 1 if it was refused or failed; with --dry-run, if it would be refused.',
      )
      .argument('<export>', 'the archive: `.tar`, `.tar.gz`, or either encrypted (`.enc`)')
      .option(
        '--key <key>',
        'the key of an encrypted one; `env:NAME` for a key in the environment',
      ),
    'the export',
  )
    .runs(async () => (await import('../import-strapi/import-strapi.js')).importStrapi)
    .addExamples({
      'import-strapi export.tar.gz --dry-run': 'what would come of it',
      'import-strapi export.tar.gz': 'into an empty database',
      'import-strapi export.tar.gz.enc --key env:EXPORT_KEY': 'an encrypted one',
      'import-strapi newer.tar.gz --replace': 'once more, replacing what is there',
    })
}
