import { endWithParent } from '../../server/processes/end-with-parent.js'

/** `quire start` loads this into its service with `--import`, so that the service stops when the command was killed. */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// The channel alone is no reason to keep running.
process.channel?.unref()
