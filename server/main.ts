import { tooFewDescriptors } from './database/descriptors.js'

/** The entry of the process: loads the service, unless the system lets it open too few files even for that. */
const refusal = tooFewDescriptors()
if (refusal === undefined) await import('./lifecycle/run-service.js')
else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
}
