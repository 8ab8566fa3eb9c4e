import type { QuireCommand } from '../quire-command.js'

/** `quire dev`. */
export function addDev(program: QuireCommand): void {
  program
    .command('dev')
    .summary('starts the service, and again after a change')
    .description(
      'Starts the service, and starts it again after a change of the definitions, of `quire.config.json` or of `.env`. In a checkout of Quire it compiles, too. Definitions that were newer are adopted, as they were edited on purpose (SCHEMA_ON_OLDER=adopt).',
    )
    .runs(async () => (await import('../start/develop.js')).develop)
    .addExamples({ dev: 'on port 1337, or PORT' })
}
