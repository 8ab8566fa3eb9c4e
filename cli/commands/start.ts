import type { QuireCommand } from '../quire-command.js'

export function addStart(program: QuireCommand): void {
  program
    .command('start')
    .summary('starts the service')
    .description(
      'Starts the service with the settings of the environment, of `.env` and of `quire.config.json` in this folder. SIGTERM or Ctrl+C stops it after the requests in flight, with exit code 0. Exits with code 1 and a message if the service cannot run.',
    )
    .runs(async () => (await import('../start/start.js')).start)
    .addExamples({ start: 'on port 1337, or PORT' })
}
