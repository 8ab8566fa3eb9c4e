import type { ServerDescription } from 'mongodb'
import { MongoServerError, MongoServerSelectionError } from 'mongodb'

/**
 * Explains why a database cannot be used. For a replica set, names each member with its role, or why it could not be
 * reached. The text contains no secrets, and does not end with a full stop.
 */
export function explainUnreachable(error: unknown, uri: string): string {
  if (error instanceof MongoServerSelectionError && error.reason !== undefined)
    return withoutSecrets(explainServers(error.reason, usesTls(uri)), uri)
  if (error instanceof MongoServerError && error.code === 18)
    return 'the server does not accept the user or the password (authSource must be the database of the user)'
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return withoutSecrets(message, uri).replace(/\.$/, '')
}

type Topology = NonNullable<MongoServerSelectionError['reason']>

/** `mongodb+srv` uses TLS by default. */
function usesTls(uri: string): boolean {
  const option = /[?&](?:tls|ssl)=(true|false)/i.exec(uri)?.[1]
  return option === undefined ? uri.startsWith('mongodb+srv:') : option === 'true'
}

function explainServers({ servers, setName, type }: Topology, isTls: boolean): string {
  const all = [...servers.values()]
  const members = all.map((server) => describeServer(server, isTls)).join('; ')
  const isSet = type.startsWith('ReplicaSet') || all.some((server) => server.setName !== null)
  if (!isSet) return `no server can be reached: ${members || 'the address contains none'}`
  const set = setName ?? all.find((server) => server.setName !== null)?.setName ?? ''
  if (all.length === 0)
    return `no server that responds is a member of the replica set ${set} (replicaSet)`
  if (all.every(({ type }) => type === 'Unknown'))
    return `no member of the replica set ${set} can be reached: ${members}`
  return `the replica set ${set} has no primary: ${members}`
}

function describeServer({ address, type, error }: ServerDescription, isTls: boolean): string {
  const role = roles[type]
  if (role !== undefined) return `${address} is ${role}`
  const cause = causeOf(error, isTls)
  return `${address} was not reached${cause === '' ? '' : ` (${cause})`}`
}

const roles: Readonly<Record<string, string>> = {
  RSPrimary: 'a primary',
  RSSecondary: 'a secondary',
  RSArbiter: 'an arbiter',
  RSGhost: 'not a member of a replica set yet (run replSetInitiate)',
  RSOther: 'starting, or recovering',
  Standalone: 'a standalone server',
  Mongos: 'a router of a sharded cluster',
}

/** Returns an error code such as `ECONNREFUSED`, or a message, such as that of a TLS error. */
function causeOf(error: Error | null, isTls: boolean): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string')
      return cause.code === 'ECONNRESET' ? endedBy(isTls) : cause.code
  const message = error?.message.split('\n')[0] ?? ''
  return /^connection .* closed$/.test(message) ? endedBy(isTls) : message
}

/** A server with TLS closes connections without TLS, and vice versa. */
const endedBy = (isTls: boolean): string =>
  isTls
    ? 'it closed the connection; if it does not use TLS, remove tls=true'
    : 'it closed the connection; if it requires TLS, add tls=true'

/** Removes credentials and options from a URI. */
export const shownUri = (uri: string): string =>
  // Up to the last `@`, because a password that is not encoded may contain one.
  uri.replace(/\/\/.*@/s, '//***@').replace(/\?.*$/s, '')

const secretOptions =
  /[?&](?:tlsCertificateKeyFilePassword|proxyPassword|authMechanismProperties)=([^&]*)/gi

/** Removes the secrets of a URI from a text, both as they are in the URI and decoded. */
export function withoutSecrets(text: string, uri: string): string {
  const [, user = '', password = ''] = /\/\/([^:@]*)(?::(.*))?@/s.exec(uri) ?? []
  const options = [...uri.matchAll(secretOptions)].map(([, value = '']) => value)
  let clean = text.replaceAll(uri, shownUri(uri))
  for (const secret of [password, user === '' ? '' : `${user}:${password}`, ...options])
    for (const form of [secret, decoded(secret)])
      if (form.length > 0) clean = clean.replaceAll(form, '***')
  return clean
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
