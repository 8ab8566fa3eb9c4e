import type { QuireCommand } from '../quire-command.js'
import { addImportOptions } from './import-options.js'

/** `quire import-strapi-v3`. */
export function addImportStrapiV3(program: QuireCommand): void {
  addImportOptions(
    program
      .command('import-strapi-v3')
      .summary('imports the content of a Strapi 3 out of its MongoDB')
      .description(
        'Imports what a Strapi 3 keeps in its MongoDB into the database that the service would use, which nobody else may use meanwhile: definitions, content with its drafts, locales, components and relations, files, users with their passwords, roles and locales. The old database is read alone. One that was cut off goes on when it is run again, with the same database; one that was done is done. Says at its end what was imported, what was adapted, what was left out, and what to do next. Exits with code 1 if it was refused or failed; with --dry-run, if it would be refused.',
      )
      .argument(
        '<uri>',
        'the old database: `mongodb://…/old`; `env:NAME` for one in the environment, since others see the arguments of a process',
      )
      .option(
        '--definitions <folder>',
        'the old project, with its `api` and `components`; without it the definitions are those that the old database has in its `core_store`',
      )
      .option(
        '--uploads <folder>',
        "the old project's `public/uploads`, or where its files were put",
      )
      .option('--map <file>', 'writes the new documentId of each old id into this file, as JSON'),
    'the old project',
  )
    .runs(async () => (await import('../import-strapi-v3/import-strapi-v3.js')).importStrapiV3)
    .addExamples({
      'import-strapi-v3 mongodb://127.0.0.1/old --dry-run': 'what would come of it',
      'import-strapi-v3 env:OLD_URI --uploads ../old/public/uploads --map ids.json':
        'into an empty database, with its files',
      'import-strapi-v3 mongodb://127.0.0.1/old --definitions ../old --replace':
        'by the definitions of its sources, replacing what is there',
    })
}
