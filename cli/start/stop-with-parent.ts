import { endWithParent } from '../../server/processes/end-with-parent.js'

/**
 * `quire start` and `quire dev` load this module into their child processes with `--import`, so that these stop when
 * the command is killed. nodemon passes the option on to the service that it starts.
 */
endWithParent(() => process.kill(process.pid, 'SIGTERM'))
// Do not let the IPC channel keep the process alive.
process.channel?.unref()
// Without `process.send`, nodemon does not send its events through the channel. Sending would fail after the channel is
// closed.
delete process.send
