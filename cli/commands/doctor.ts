import type { QuireCommand } from '../quire-command.js'

/** `quire doctor`. */
export function addDoctor(program: QuireCommand): void {
  program
    .command('doctor')
    .summary('says what is wrong, if something is')
    .description(
      'Looks at what a start needs: the version of Node, what is installed, the settings and secrets, the definitions, the data folder, the port, and the database: whether it can be reached or started here, its version, and whether it has transactions. Also what the definitions do to stored content, and whether it allows them; a service that has the database is asked. Nothing is changed. A line begins with `ok`, `!` for a warning, `X` for what keeps it from starting or could not be read, or `?` for what was not to be looked at, such as content of a service without credentials for it. Exits with code 1 if a line begins with `X`.',
    )
    .option('--json', 'what was found, as JSON', false)
    .runs(async () => (await import('../doctor/doctor.js')).doctor)
    .addExamples({
      doctor: 'for people',
      'doctor --json': 'for programs, such as a step of a deployment',
    })
}
