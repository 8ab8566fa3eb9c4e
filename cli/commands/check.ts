import type { QuireCommand } from '../quire-command.js'

export function addCheck(program: QuireCommand): void {
  program
    .command('check')
    .argument(
      '[folder]',
      'folder of a Strapi project or of definitions; default: SCHEMA_DIR, or `schema`',
    )
    .summary('reports on a folder of definitions or a Strapi project')
    .description(
      'Reports what happens if a service starts with a folder as SCHEMA_DIR: what works, what is adapted and how, what has no equivalent, and what replaces code. It also checks the port and the data folder. No code of the folder runs. If the folder belongs to this project, the command also reads its database, or asks the service that uses it, and reports what happens to stored content. Without credentials, it does not ask the service. Exits with code 1 if the service would not start, or if the database or the service cannot be read.',
    )
    .option('--strict', 'also exits with code 1 if the start would log a warning; for CI', false)
    .option('--json', 'prints the report as JSON', false)
    .runs(async () => (await import('../check/check.js')).check)
    .addExamples({
      check: 'the definitions of this project',
      'check --strict': 'the same in CI, where a misspelled option fails',
      'check ../shop': 'a Strapi project before its move',
    })
}
