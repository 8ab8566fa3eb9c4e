import type { ServerResponse } from 'node:http'
import { fail, notDone } from '../../../engine/errors.js'
import { whenClosed } from '../response/when-closed.js'

/** Bounds the memory of all bodies together, from the first byte of each until its request is finished. */
export type BodyBudget = ReturnType<typeof createBodyBudget>

/** A body up to this size is accepted as long as there is anything left. */
const smallBytes = 65_536

/**
 * One address holds at most half of the budget. A larger body takes at most half of what the others have left, so
 * that the largest are refused first.
 * @param max `http.maxBodyMemory`, in bytes
 */
export function createBodyBudget(max: number) {
  let total = 0
  const byAddress = new Map<string, number>()
  return {
    /**
     * Opens the account of one body. The function that it returns adds bytes; it throws 413 if the body is larger than
     * any may be, and 503 if other bodies hold too much.
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
      /** Throws, and releases the bytes of the body, so that others can be received. */
      const refuse = (error: Error): never => {
        set(0)
        throw error
      }
      return (bytes: number): void => {
        // The client has left: no event would release the bytes.
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
    /** Returns the memory that all bodies hold. */
    bytes: () => total,
  }
}

const bound = 'http.maxBodyMemory'
