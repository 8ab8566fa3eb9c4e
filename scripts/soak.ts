/** `npm run soak`: a mixed load for a long time, samples, and a verdict. */
import { parseOptions } from './soak/options.js'
import { runSoak } from './soak/run-soak.js'
import { optionsOr, print } from './terminal.js'

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    // The second signal does not wait for the verdict.
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
  })
const usage = 'docs/development.md, "Soak", lists the options.'
const options = optionsOr(usage, () => parseOptions(process.argv.slice(2), process.env))
const { passes } = await runSoak(options, print, stopping.signal)
process.exitCode = passes ? 0 : 1
