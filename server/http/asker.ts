import type { Request } from 'express'
import { clientKeyOf } from './address.js'
import type { Budget } from '../../engine/read/run/budget.js'
import type { ReadAsker } from '../../engine/read.js'

/**
 * Who sent a request, for the bounds of what waits. A class because its address is found among the proxies' headers,
 * and few requests wait.
 */
export class RequestAsker implements ReadAsker {
  constructor(
    private readonly request: Request,
    /** Undefined for a write. */
    readonly budget: Budget | undefined,
    /** Of the bytes of its body, how many are not in memory: those of files. */
    private readonly notHeld = 0,
  ) {}

  get address(): string {
    return clientKeyOf(this.request)
  }

  /** Its target, which becomes a plan, and what is held of the body that was announced. */
  get bytes(): number {
    const { originalUrl, headers } = this.request
    const announced = Number(headers['content-length'] ?? 0)
    const body = Number.isFinite(announced) ? Math.max(0, announced - this.notHeld) : 0
    return requestBytes + planFactor * originalUrl.length + body
  }
}

/** What Node and Express hold for a request. */
const requestBytes = 4096
/** Of a text, what is parsed, resolved and planned takes so many times the memory. */
const planFactor = 8
