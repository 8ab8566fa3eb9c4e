import type { QuireCommand } from '../quire-command.js'
import { collectOften } from '../collect-often.js'
import { withService } from '../admin-service.js'

/** `quire entries`. */
export function addEntries(program: QuireCommand): void {
  const entries = program
    .command('entries')
    .summary('writes entries into tables, and reads them from tables')
    .description(
      'Writes the entries of a content-type into a table (CSV, JSON or JSON Lines), and creates and updates entries by the rows of one (docs/tables.md). It works through a running service (--url), or opens the database as a start does, definitions in SCHEMA_DIR adopted; the embedded engine, and a MongoDB that Quire looks after, belong to one process at a time: if a service runs on one, the command asks that service.',
    )
  tableOptions(entries.command('export'), 'which locale')
    .summary('writes entries into a table')
    .description('Writes the entries of a type into a table, sorted by id, as they are read.')
    .option('-o, --output <file>', 'where to; default: standard output')
    .option('--by <pairs>', 'relations by unique attributes of their targets: `author=email`')
    .option('--filters <query>', 'as a list of the API takes them: `filters[kind]=story`')
    .option('--bom', 'begins CSV with a byte order mark, for Excel', false)
    .runs(async () => {
      collectOften()
      return (await import('../entries/export-entries.js')).exportEntries
    })
    .addExamples({
      'entries export --type article -o articles.csv': 'what is published, in all locales',
      'entries export --type article --by author=email --status draft --format jsonl': 'drafts',
    })
  tableOptions(
    entries.command('import'),
    'of rows that name none, and language of the cells of CSV: `de` also reads `1,5`, `ja` and `31.12.2024`',
  )
    .summary('creates and updates entries by the rows of a table')
    .description(
      'Creates and updates entries by the rows of a table, each as a request of its own would: a row with a `documentId` that is there updates it. Says by row what failed; the other rows are written. Exits with code 1 if a row failed.',
    )
    .argument('<file>', 'the table; its ending tells its format')
    .option('--dry-run', 'says which rows would fail, and writes nothing', false)
    .option('--from <row>', 'passes over the rows before it; the first is 1')
    .option('--json', 'the report as JSON', false)
    .runs(async () => {
      collectOften()
      return (await import('../entries/import-entries.js')).importEntries
    })
    .addExamples({
      'entries import articles.csv --type article --dry-run': 'which rows would fail',
      'entries import articles.csv --type article': 'writes the others',
      'entries import prices.csv --type dish --delimiter ";" --locale de':
        'of a German spreadsheet',
    })
}

const tableOptions = (command: QuireCommand, locale: string): QuireCommand =>
  withService(
    command
      .requiredOption('--type <name>', 'of the content-type: its uid, or a name of its API')
      .addOption(
        command
          .createOption('--format <format>', 'default: by the ending of the file, else csv')
          .choices(['csv', 'json', 'jsonl']),
      )
      .option('--delimiter <character>', 'of CSV', ',')
      .addOption(
        command
          .createOption('--status <status>', 'which versions, or of rows that do not say it')
          .choices(['draft', 'published'])
          .default('published'),
      )
      .option('--locale <code>', locale),
  )
