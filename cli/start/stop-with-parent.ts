import { endWithParent } from '../../server/processes/end-with-parent.js'

/**
 * Stops this process when its parent is killed. `quire start` and `quire dev` load this module into their child
 * processes with `--import`. nodemon passes that option on to the service that it starts.
 */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// Do not let the IPC channel keep the process alive.
process.channel?.unref()
// Delete `process.send`, so that nodemon does not send its events through the IPC channel. Sending would fail after the
// channel is closed.
delete process.send
