import { endWithParent } from '../../server/processes/end-with-parent.js'

/**
 * `quire start` and `quire dev` load this into their programs with `--import`, so that these stop when the command was
 * killed. nodemon hands it on to the service that it starts.
 */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// The channel alone is no reason to keep running.
process.channel?.unref()
// nodemon would send its events through the channel, and fail when it is closed.
delete process.send
