import { givenEnvironment } from '../environment.js'
import { launch } from './launch.js'
import { runChildren } from './run-children.js'

/** Runs `quire start` until the service ends. */
export function start(): Promise<void> {
  const { nodeOptions, program, environment } = launch
  const env = { ...environment, ...givenEnvironment() }
  // SIGUSR2 switches the log level.
  return runChildren([{ args: [...nodeOptions, program], env }], ['SIGUSR2'])
}
