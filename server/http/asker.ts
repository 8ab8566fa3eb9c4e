import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import type { ReadAsker } from '../../engine/read.js'

/** Who sent a request, for the bounds of what waits; `deadline` in milliseconds since 1970, undefined for a write. */
export function askerOf(request: Request, deadline: number | undefined): ReadAsker {
  return new RequestAsker(request, deadline)
}

/** A class because its address is found among the proxies' headers, and few requests wait. */
class RequestAsker implements ReadAsker {
  readonly #request: Request
  readonly deadline?: number

  constructor(request: Request, deadline: number | undefined) {
    this.#request = request
    if (deadline !== undefined) this.deadline = deadline
  }

  get address(): string {
    return ipKeyGenerator(this.#request.ip ?? '')
  }

  /** Its target, which becomes a plan, and a body that is announced. */
  get bytes(): number {
    const { originalUrl, headers } = this.#request
    const body = Number(headers['content-length'] ?? 0)
    return requestBytes + planFactor * originalUrl.length + (Number.isFinite(body) ? body : 0)
  }
}

/** What Node and Express hold for a request. */
const requestBytes = 4096
/** Of a text, what is parsed, resolved and planned takes so many times the memory. */
const planFactor = 8
