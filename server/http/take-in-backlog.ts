import type { Server } from 'node:net'

/** A turn this short leaves next to no time in which a connection could have come since the last look, in ms. */
const shortTurnMs = 0.2
/** After this the door is closed before whoever still comes, in milliseconds. */
const longestMs = 2000

/**
 * Waits until all that the system has let in is accepted, for a server that is to stop listening in the same turn:
 * what then still waits to be accepted, the system resets, with the requests that it has sent. Node accepts one
 * connection in each turn of its loop, so that a turn without one has seen none that waits.
 */
export function takeInBacklog(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const begun = performance.now()
    let came = true
    let turnBegun = begun
    const note = (): void => void (came = true)
    server.on('connection', note)
    // Accepted, and let go of, because there are too many.
    server.on('drop', note)
    const look = (): void => {
      const now = performance.now()
      const isQuiet = !came && now - turnBegun < shortTurnMs
      if (!isQuiet && now - begun < longestMs) {
        came = false
        turnBegun = now
        setImmediate(look)
        return
      }
      server.off('connection', note)
      server.off('drop', note)
      resolve()
    }
    setImmediate(look)
  })
}
