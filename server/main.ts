import { tooFewDescriptors } from './database/descriptors.js'
import { readEnvFile } from './settings/env-file.js'

/**
 * Entry point of the process. Loads the service if the limit of open files is high enough and `.env` is valid.
 * Otherwise ends the process with exit code 1.
 */
const refusal = tooFewDescriptors() ?? problemOf(readEnvFile)
if (refusal === undefined) await import('./lifecycle/run-service.js')
else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
}

function problemOf(step: () => unknown): string | undefined {
  try {
    step()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
