import type { QuireCommand } from '../quire-command.js'

/** `quire check`. */
export function addCheck(program: QuireCommand): void {
  program
    .command('check')
    .argument('[folder]', 'of a Strapi project or of definitions; default: SCHEMA_DIR, or `schema`')
    .summary('reports on a folder of definitions or a Strapi project')
    .description(
      'Reports what would come of a start with a folder as SCHEMA_DIR, without running anything of it: what works, what is adapted and how, what has no counterpart, and what takes the place of code; and whether the port is free and the data folder can be used. If the folder is that of this project, the command also reads its database, or asks the service that has it: what becomes of stored content, and whether it allows the definitions. Exits with code 1 if it would not start, or if it is not known because the database cannot be read or the service refuses the credentials or does not answer. Without credentials the service is not asked.',
    )
    .option('--strict', 'exits with code 1 if the start would log a warning, too: for CI', false)
    .option('--json', 'the report as JSON', false)
    .runs(async () => (await import('../check/check.js')).check)
    .addExamples({
      check: 'the definitions of this project',
      'check --strict': 'the same in CI: a misspelled option fails',
      'check ../shop': 'a Strapi project that is to move',
    })
}
