import type { QuireCommand } from '../quire-command.js'
import { addImportOptions } from './import-options.js'

export function addImportStrapiV3(program: QuireCommand): void {
  addImportOptions(
    program
      .command('import-strapi-v3')
      .summary('imports the content of a Strapi 3 project from its MongoDB')
      .description(
        'Imports a Strapi 3 project from its MongoDB into the database of this project: definitions, content with its drafts, locales, components and relations, files, users with their passwords, roles and locales. It only reads the old database. Stop all services on the new database first, and do not use it during the import. If an import is interrupted, run it again with the same database: it continues. A finished import is not repeated. The report lists what was imported, adapted and left out, and what to do next. Exits with code 1 if the import was refused or failed; with --dry-run, if it would be refused.',
      )
      .argument(
        '<uri>',
        'URI of the old database: `mongodb://…/old`, or `env:NAME` for a URI in the environment, so that lists of processes do not show it',
      )
      .option(
        '--definitions <folder>',
        'folder of the old project, with its `api` and `components`; default: the definitions in `core_store` of the old database',
      )
      .option(
        '--uploads <folder>',
        "the old project's `public/uploads`, or the folder that has its files now",
      )
      .option('--map <file>', 'writes a JSON file with the new documentId of each old id'),
    'the old project',
  )
    .runs(async () => (await import('../import-strapi-v3/import-strapi-v3.js')).importStrapiV3)
    .addExamples({
      'import-strapi-v3 mongodb://127.0.0.1/old --dry-run': 'reports what would be imported',
      'import-strapi-v3 env:OLD_URI --uploads ../old/public/uploads --map ids.json':
        'into an empty database, with files',
      'import-strapi-v3 mongodb://127.0.0.1/old --definitions ../old --replace':
        'with the definitions in its source code, replacing existing content',
    })
}
