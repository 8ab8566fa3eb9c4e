import type { Request } from 'express'
import { clientKeyOf } from './address.js'
import type { Budget } from '../../../engine/read/execute/budget.js'
import type { ReadClient } from '../../../engine/read.js'

/**
 * The client of a request, for queues that limit each client. A class with getters, so that the client's IP address is
 * computed only for a request that waits.
 */
export class RequestClient implements ReadClient {
  constructor(
    private readonly request: Request,
    /** Time limit of a read; undefined for a write. */
    readonly budget: Budget | undefined,
    /** Bytes of the body that are not kept in memory: uploaded files. */
    private readonly notHeld = 0,
  ) {}

  get address(): string {
    return clientKeyOf(this.request)
  }

  /**
   * Estimated memory of the request: of the URL, which becomes a query plan, and of the body according to
   * `Content-Length`, without files.
   */
  get bytes(): number {
    const { originalUrl, headers } = this.request
    const announced = Number(headers['content-length'] ?? 0)
    const body = Number.isFinite(announced) ? Math.max(0, announced - this.notHeld) : 0
    return requestBytes + planFactor * originalUrl.length + body
  }
}

/** Approximate bytes that Node and Express use for each request. */
const requestBytes = 4096
/** Memory of a parsed, resolved and planned query, as a multiple of the length of its text. */
const planFactor = 8
