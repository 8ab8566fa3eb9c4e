import type { ServerResponse } from 'node:http'
import { fail, notDone } from '../../../engine/errors.js'
import { whenClosed } from '../response/when-closed.js'

/**
 * Limits the memory of all request bodies together. A body counts from its first byte until its request has finished.
 */
export type BodyBudget = ReturnType<typeof createBodyBudget>

/** A body of at most this size, in bytes, may use all memory that is left. */
const smallBytes = 65_536

/**
 * Creates the budget. All bodies from one IP address may use at most half of it. A body larger than `smallBytes` may
 * use at most half of what is free.
 * @param max `http.maxBodyMemory`, in bytes
 */
export function createBodyBudget(max: number) {
  let total = 0
  const byAddress = new Map<string, number>()
  return {
    /**
     * Starts to count one body. Returns a function to call with the bytes of each chunk. It throws a 413 if the body
     * exceeds half of the budget, and a 503 if other bodies use too much memory.
     */
    open: (address: string, response: ServerResponse) => {
      let own = 0
      const set = (bytes: number): void => {
        const rest = (byAddress.get(address) ?? 0) + bytes - own
        if (rest > 0) byAddress.set(address, rest)
        else byAddress.delete(address)
        total += bytes - own
        own = bytes
      }
      const refuse = (error: Error): never => {
        set(0)
        throw error
      }
      return (bytes: number): void => {
        // The client has disconnected, so no later event would release the bytes.
        if (response.closed) return
        const wanted = own + bytes
        if (wanted > max / 2) refuse(fail('payload-too-large', { bound }))
        const left = max - (total - own)
        const isOver = wanted > (wanted <= smallBytes ? left : left / 2)
        if (isOver || (byAddress.get(address) ?? 0) + bytes > max / 2)
          refuse(notDone(`Too many large bodies are being received or processed (${bound})`))
        if (own === 0) whenClosed(response, () => set(0))
        set(wanted)
      }
    },
    bytes: () => total,
  }
}

const bound = 'http.maxBodyMemory'
