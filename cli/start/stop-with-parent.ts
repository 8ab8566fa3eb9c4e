import { endWithParent } from '../../server/processes/end-with-parent.js'

/**
 * Stops this process when its parent is killed. `quire start` and `quire dev` load this module into their children with
 * `--import`, which nodemon passes on to the service.
 */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// Do not let the IPC channel keep the process alive.
process.channel?.unref()
// If `send` exists, nodemon sends its events through the IPC channel. This fails after the channel is closed.
delete process.send
