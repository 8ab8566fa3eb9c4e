import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, SocketAddress } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'

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
