import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, SocketAddress } from 'node:net'
import { ipKeyGenerator } from 'express-rate-limit'

type Asked = IncomingMessage & Readonly<{ ip?: string | undefined }>

/**
 * Returns the IP address of a request's client, in one spelling. Express finds it by `http.trustProxy`, and hands on
 * whatever a proxy, or a client through it, has written into `X-Forwarded-For`: what is no address there counts as the
 * connection's own address, so that nobody gets a new one by writing something else.
 */
export function addressOf({ ip, socket }: Asked): string {
  return parseAddress(ip ?? '') ?? parseAddress(socket.remoteAddress ?? '') ?? ''
}

/** Returns what the client's address is counted by: of IPv6, the network (/56), because a client has all of it. */
export const clientKeyOf = (request: Asked): string => ipKeyGenerator(addressOf(request))

function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  // With a port as some proxies write it, in brackets, or with the zone that an address is valid in.
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
