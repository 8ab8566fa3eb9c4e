import type { QuireCommand } from '../quire-command.js'

export function addDoctor(program: QuireCommand): void {
  program
    .command('doctor')
    .summary('checks whether the service can start')
    .description(
      'Checks what a start needs: the version of Node, installed packages, settings and secrets, definitions, the data folder, the port, and the database (whether it can be reached or started, its version, and whether it has transactions). It also reports what the definitions change in stored content, and asks the service that uses the database, if there is one. It changes nothing. Each line begins with `ok`, `!` (a warning), `X` (an error, or a failed check) or `?` (a skipped check, for example because there are no credentials for the service). Exits with code 1 if a line begins with `X`.',
    )
    .option('--json', 'prints the result as JSON', false)
    .runs(async () => (await import('../doctor/doctor.js')).doctor)
    .addExamples({
      doctor: 'for people',
      'doctor --json': 'for programs, such as a step of a deployment',
    })
}
