/** `npm run soak`: runs a mixed load for a long time, takes samples, and prints a verdict. */
import { stopOnSignals } from '../server/lifecycle/stop-on-signals.js'
import { parseOptions } from './soak/options.js'
import { runSoak } from './soak/run-soak.js'
import { parseOrExit, print } from './terminal.js'

const options = parseOrExit(parseOptions)
process.exitCode = (await runSoak(options, print, stopOnSignals())) ? 0 : 1
