import type { QuireCommand } from '../quire-command.js'
import { collectOften } from '../collect-often.js'
import { withService } from '../admin-service.js'

export function addEntries(program: QuireCommand): void {
  const entries = program
    .command('entries')
    .summary('exports entries as tables, and imports tables')
    .description(
      'Exports the entries of a content-type as a table (CSV, JSON or JSON Lines), and creates and updates entries from a table (docs/tables.md). It works through a running service (--url), or opens the database of this project and applies the definitions in SCHEMA_DIR, as a start does. If a service uses the embedded engine, or a MongoDB that Quire runs, the command sends its requests to that service.',
    )
  tableOptions(entries.command('export'), 'which locale')
    .summary('exports entries as a table')
    .description(
      'Exports the entries of a content-type as a table, sorted by id. Each page of 100 shows its entries as they are when it is read.',
    )
    .option('-o, --output <file>', 'output file; default: standard output')
    .option(
      '--by <pairs>',
      'shows relations by a unique attribute of their targets: `author=email`',
    )
    .option('--filters <query>', 'filters, as in the API: `filters[kind]=story`')
    .option('--bom', 'starts CSV with a byte order mark, for Excel', false)
    .runs(async () => {
      collectOften()
      return (await import('../entries/export-entries.js')).exportEntries
    })
    .addExamples({
      'entries export --type article -o articles.csv': 'published versions, in all locales',
      'entries export --type article --by author=email --status draft --format jsonl': 'drafts',
    })
  tableOptions(
    entries.command('import'),
    'locale of rows that name none, and language of CSV cells: `de` also reads `1,5`, `ja` and `31.12.2024`',
  )
    .summary('creates and updates entries from a table')
    .description(
      'Creates or updates an entry for each row of a table, by the same rules as an API request. A row with the `documentId` of an existing entry updates it; any other row creates an entry. Reports the rows that failed, and writes the others. Exits with code 1 if a row failed.',
    )
    .argument('<file>', 'the table; its extension determines the format, unless --format is given')
    .option('--dry-run', 'reports which rows would fail, and writes nothing', false)
    .option('--from <row>', 'number of the first row to import; default: 1')
    .option('--json', 'prints the report as JSON', false)
    .runs(async () => {
      collectOften()
      return (await import('../entries/import-entries.js')).importEntries
    })
    .addExamples({
      'entries import articles.csv --type article --dry-run': 'which rows would fail',
      'entries import articles.csv --type article': 'writes the others',
      'entries import prices.csv --type dish --delimiter ";" --locale de':
        'from a German spreadsheet',
    })
}

const tableOptions = (command: QuireCommand, locale: string): QuireCommand =>
  withService(
    command
      .requiredOption(
        '--type <name>',
        'the content-type: its uid, or its singular or plural API name',
      )
      .addOption(
        command
          .createOption('--format <format>', 'default: the extension of the file, else csv')
          .choices(['csv', 'json', 'jsonl']),
      )
      .option('--delimiter <character>', 'delimiter of CSV', ',')
      .addOption(
        command
          .createOption(
            '--status <status>',
            'the versions to export, or the status of rows that have none',
          )
          .choices(['draft', 'published'])
          .default('published'),
      )
      .option('--locale <code>', locale),
  )
