import { tooFewDescriptors } from './database/descriptors.js'
import { readEnvFile } from './settings/env-file.js'

/** The entry of the process: loads the service, unless the system lets it open too few files even for that. */
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
