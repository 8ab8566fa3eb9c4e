import type { QuireCommand } from '../quire-command.js'

/** `quire start`. */
export function addStart(program: QuireCommand): void {
  program
    .command('start')
    .summary('starts the service')
    .description(
      'Starts the service with the settings of the environment, of `.env` and of `quire.config.json` in this folder. It ends with SIGTERM or Ctrl+C, after the requests in flight, with 0; with 1 where it cannot run, and says why.',
    )
    .runs(async () => (await import('../start/start.js')).start)
    .addExamples({ start: 'on port 1337, or PORT' })
}
