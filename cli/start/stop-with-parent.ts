import { endWithParent } from '../../server/processes/end-with-parent.js'

/** Loaded with `--import` into the service of `quire start`: it stops as by a signal when that command was killed. */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// The channel alone is no reason to keep running.
process.channel?.unref()
