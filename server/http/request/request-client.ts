import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, SocketAddress } from 'node:net'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import type { Budget } from '../../../engine/read/execute/budget.js'
import type { ReadClient } from '../../../engine/read.js'

/**
 * The client of a request, for queues that limit each client. A class with getters, so that the client's IP address is
 * computed only for a request that waits.
 */
export class RequestClient implements ReadClient {
  #address: string | undefined

  constructor(
    private readonly request: Request,
    /** Time limit of a read; undefined for a write. */
    readonly budget: Budget | undefined,
    /** Bytes of the body that are not kept in memory: uploaded files. */
    private readonly notHeld = 0,
  ) {}

  get address(): string {
    return (this.#address ??= clientKeyOf(this.request))
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

type ReceivedRequest = IncomingMessage & Readonly<{ ip?: string | undefined }>

/**
 * Returns the normalised IP address of the client. Ignores text in `X-Forwarded-For` that is not an IP address:
 * otherwise a client could appear under any number of addresses.
 */
export function addressOf({ ip, socket }: ReceivedRequest): string {
  return parseAddress(ip ?? '') ?? parseAddress(socket.remoteAddress ?? '') ?? ''
}

/** Returns the key for counting a client's requests: its IPv4 address, or its IPv6 network (/56). */
export const clientKeyOf = (request: ReceivedRequest): string => ipKeyGenerator(addressOf(request))

function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  // Some proxies add a port, brackets, or an IPv6 zone (`%eth0`).
  const address = text
    .trim()
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/%.*$/, '')
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  const normal = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(normal)?.[1] ?? normal
}
