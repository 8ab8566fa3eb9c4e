import { endWithParent } from '../../server/processes/end-with-parent.js'

/**
 * `quire start` and `quire dev` load this module into their programs with `--import`, so that these stop when the
 * command is killed. nodemon passes it on to the service that it starts.
 */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// The channel alone must not keep the process alive.
process.channel?.unref()
// nodemon would send its events through the channel, and fail when it is closed.
delete process.send
