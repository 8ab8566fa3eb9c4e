import type { QuireCommand } from '../quire-command.js'

const ends = '`embedded`, `mongod`, a URI, or `env:NAME` for a URI in the environment'

/** `quire database`. */
export function addDatabase(program: QuireCommand): void {
  const database = program
    .command('database')
    .summary('copies all content from one database to another')
    .description(
      'Copies all content between the embedded engine, a MongoDB that Quire looks after, and one of others.',
    )
  database
    .command('copy')
    .summary('copies, and compares both ends')
    .description(
      'Copies all content, and compares both ends. One that was cut off goes on when it is run again. A URI with a password is better given as `env:NAME`, so that it is in no list of processes.',
    )
    .requiredOption('--to <database>', `where to: ${ends}`)
    .option('--from <database>', 'where from; default: what the settings name')
    .option('--json', 'the report as JSON, a line on standard error for each collection', false)
    .runs(async () => (await import('../database/copy.js')).copy)
    .addExamples({
      'database copy --to mongod': 'what the settings name, into a MongoDB that Quire looks after',
      'database copy --from mongod --to embedded': 'back',
      'database copy --to env:TARGET': 'into the MongoDB whose URI is in the variable TARGET',
    })
}
