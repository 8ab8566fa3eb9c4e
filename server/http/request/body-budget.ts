import type { ServerResponse } from 'node:http'
import { fail, notDone } from '../../../engine/errors.js'
import { whenClosed } from '../response/when-closed.js'

/** Limits the memory of all bodies together. A body counts from its first byte until its request is finished. */
export type BodyBudget = ReturnType<typeof createBodyBudget>

/** A body up to this size is accepted while it fits into the rest of the budget. */
const smallBytes = 65_536

/**
 * Creates the budget. One address holds at most half of it. A body larger than `smallBytes` may take at most half of
 * the memory that other bodies leave, so that the largest bodies are refused first.
 * @param max `http.maxBodyMemory`, in bytes
 */
export function createBodyBudget(max: number) {
  let total = 0
  const byAddress = new Map<string, number>()
  return {
    /**
     * Opens the account of one body. Returns a function that adds bytes to it. That function throws 413 if the body is
     * larger than half of the budget, and 503 if other bodies hold too much.
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
      /** Throws the error, after releasing the bytes of the body, so that other bodies can be received. */
      const refuse = (error: Error): never => {
        set(0)
        throw error
      }
      return (bytes: number): void => {
        // The client has disconnected, so no later event would release these bytes.
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
    /** Returns the memory that all bodies hold together, in bytes. */
    bytes: () => total,
  }
}

const bound = 'http.maxBodyMemory'
