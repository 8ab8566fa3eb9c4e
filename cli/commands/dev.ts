import type { QuireCommand } from '../quire-command.js'

export function addDev(program: QuireCommand): void {
  program
    .command('dev')
    .summary('starts the service, and restarts it after changes')
    .description(
      'Starts the service, and restarts it after changes of the definitions, of `quire.config.json` or of `.env`. In a checkout of Quire, it also compiles. Unless SCHEMA_ON_OLDER is set, it uses the definitions in the folder even if the database has newer ones (SCHEMA_ON_OLDER=adopt). Unless LOG_FORMAT is set, the log has short lines (LOG_FORMAT=text).',
    )
    .runs(async () => (await import('../start/develop.js')).develop)
    .addExamples({ dev: 'on port 1337, or PORT' })
}
