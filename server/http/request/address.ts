import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, SocketAddress } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'

type ReceivedRequest = IncomingMessage & Readonly<{ ip?: string | undefined }>

/**
 * Returns the IP address of a request's client, in normalised form. Express takes it from `X-Forwarded-For` as
 * `http.trustProxy` says, and accepts any text there. If that text is not an address, returns the connection's own
 * address. Otherwise a client could get a new address by inventing a text.
 */
export function addressOf({ ip, socket }: ReceivedRequest): string {
  return parseAddress(ip ?? '') ?? parseAddress(socket.remoteAddress ?? '') ?? ''
}

/**
 * Returns the key for counting a client's requests: its IPv4 address, or its IPv6 network (/56), which one client owns.
 */
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
