import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, SocketAddress } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'

type ReceivedRequest = IncomingMessage & Readonly<{ ip?: string | undefined }>

/**
 * Returns the IP address of a request's client, in one spelling. Express finds it by `http.trustProxy`, and passes on
 * any text that `X-Forwarded-For` has there. If that is no address, the connection's own address counts, so that no
 * client gets a new address by making up a text.
 */
export function addressOf({ ip, socket }: ReceivedRequest): string {
  return parseAddress(ip ?? '') ?? parseAddress(socket.remoteAddress ?? '') ?? ''
}

/** Returns the key by which a client is counted: its IPv4 address, or its IPv6 network (/56), which one client owns. */
export const clientKeyOf = (request: ReceivedRequest): string => ipKeyGenerator(addressOf(request))

function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  // Some proxies add a port, brackets or a zone (`%eth0`).
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
