import type { QuireCommand } from '../quire-command.js'
import { givenEnvironment } from '../environment.js'

/** `quire start`. */
export function addStart(program: QuireCommand): void {
  program
    .command('start')
    .summary('starts the service')
    .description(
      'Starts the service with the settings of the environment, of `.env` and of `quire.config.json` in this folder. It ends with SIGTERM or Ctrl+C, after the requests in flight, with 0; with 1 where it cannot run, and says why.',
    )
    .runs(async () => {
      const { launch } = await import('../start/launch.js')
      const { runChildren } = await import('../start/run-children.js')
      const { nodeOptions, program, environment } = launch
      const env = { ...environment, ...givenEnvironment() }
      // It switches the level of the log.
      await runChildren(
        [{ args: [...nodeOptions, program], env, stopsWithParent: true }],
        ['SIGUSR2'],
      )
    })
    .addExamples({ start: 'on port 1337, or PORT' })
}
