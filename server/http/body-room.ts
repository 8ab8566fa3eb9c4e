import type { IncomingMessage, ServerResponse } from 'node:http'
import { notDone } from '../../engine/errors.js'
import type { Settings } from '../settings/settings.js'
import { whenClosed } from './when-closed.js'

/** Bounds what large bodies hold in memory together. */
export type BodyRoom = Readonly<{
  /**
   * Makes room for the body of a request before any of it is received, until it is answered. Throws 503 where there is
   * none.
   * @param most bytes that the body may have
   */
  take: (request: IncomingMessage, response: ServerResponse, most: number) => void
  /** What is taken. */
  bytes: () => number
}>

/** Bodies up to this size are let in as long as there is any room. */
const smallBytes = 65_536

/**
 * A large body may take half of the room that is left, so that the largest are refused first, and clients that do not go
 * on sending theirs leave room for small ones. Where nothing is taken any body is let in.
 */
export function createBodyRoom(settings: Pick<Settings, 'api.rest.maxBulkBytes'>): BodyRoom {
  const max = settings['api.rest.maxBulkBytes']
  let total = 0
  const fits = (bytes: number): boolean => {
    if (total === 0) return true
    return bytes <= smallBytes ? total + bytes <= max : bytes <= (max - total) / 2
  }
  return {
    take: (request, response, most) => {
      const bytes = Math.min(sizeOf(request) ?? most, most)
      if (!fits(bytes))
        throw notDone('Too many large bodies are being received or done (api.rest.maxBulkBytes)')
      // Who has left meanwhile sends nothing, and would never give it back.
      if (response.closed) return
      total += bytes
      whenClosed(response, () => (total -= bytes))
    },
    bytes: () => total,
  }
}

/** As it was announced; undefined where that says nothing. */
function sizeOf({ headers }: IncomingMessage): number | undefined {
  const announced = headers['content-length']
  const isAsItComes = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  return announced !== undefined && isAsItComes ? Number(announced) : undefined
}
