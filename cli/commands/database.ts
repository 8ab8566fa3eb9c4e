import type { QuireCommand } from '../quire-command.js'

const ends = '`embedded`, `mongod`, a URI, or `env:NAME` for a URI in the environment'

export function addDatabase(program: QuireCommand): void {
  const database = program
    .command('database')
    .summary('copies all content from one database to another')
    .description(
      'Copies all content between the embedded engine, a MongoDB that Quire runs, and your own MongoDB.',
    )
  database
    .command('copy')
    .summary('copies all content, and compares both databases')
    .description(
      'Copies all content, and compares both databases. If a copy is interrupted, run it again: it continues. Give a URI that has a password as `env:NAME`, so that lists of processes do not show it.',
    )
    .requiredOption('--to <database>', `where to: ${ends}`)
    .option('--from <database>', 'source; default: the database of the settings')
    .option(
      '--json',
      'prints the report as JSON, and a line on standard error for each collection',
      false,
    )
    .runs(async () => (await import('../database/copy.js')).copy)
    .addExamples({
      'database copy --to mongod':
        'from the database of the settings into a MongoDB that Quire runs',
      'database copy --from mongod --to embedded': 'back',
      'database copy --to env:TARGET': 'into the MongoDB with the URI in the variable TARGET',
    })
}
