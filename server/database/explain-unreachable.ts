import type { ServerDescription } from 'mongodb'
import { MongoServerError, MongoServerSelectionError } from 'mongodb'

/**
 * Why a database cannot be used, in words that a person without the driver's vocabulary understands: which members
 * were reached, and what each was. No full stop; nothing in it is secret.
 */
export function explainUnreachable(error: unknown, uri: string): string {
  if (error instanceof MongoServerSelectionError && error.reason !== undefined)
    return withoutSecrets(explainServers(error.reason, usesTls(uri)), uri)
  if (error instanceof MongoServerError && error.code === 18)
    return 'the server does not accept the user or the password (authSource names the database in which the user is)'
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return withoutSecrets(message, uri).replace(/\.$/, '')
}

type Topology = NonNullable<MongoServerSelectionError['reason']>

/** Whether a URI asks for TLS, as `mongodb+srv` does where it says nothing else. */
function usesTls(uri: string): boolean {
  const said = /[?&](?:tls|ssl)=(true|false)/i.exec(uri)?.[1]
  return said === undefined ? uri.startsWith('mongodb+srv:') : said === 'true'
}

function explainServers({ servers, setName, type }: Topology, isTls: boolean): string {
  const all = [...servers.values()]
  const members = all.map((server) => tellServer(server, isTls)).join('; ')
  const isSet = type.startsWith('ReplicaSet') || all.some((server) => server.setName !== null)
  if (!isSet) return `no server can be reached: ${members || 'the address names none'}`
  const set = setName ?? all.find((server) => server.setName !== null)?.setName ?? ''
  if (all.length === 0)
    return `no server that answers is a member of the replica set ${set} (replicaSet)`
  if (all.every(({ type }) => type === 'Unknown'))
    return `no member of the replica set ${set} can be reached: ${members}`
  return `the replica set ${set} has no primary: ${members}`
}

function tellServer({ address, type, error }: ServerDescription, isTls: boolean): string {
  const role = roles[type]
  if (role !== undefined) return `${address} is ${role}`
  const cause = causeOf(error, isTls)
  return `${address} was not reached${cause === '' ? '' : ` (${cause})`}`
}

const roles: Readonly<Record<string, string>> = {
  RSPrimary: 'a primary',
  RSSecondary: 'a secondary',
  RSArbiter: 'an arbiter',
  RSGhost: 'no member of a set yet (replSetInitiate)',
  RSOther: 'starting, or recovering',
  Standalone: 'a server of no set',
  Mongos: 'a router of a sharded cluster',
}

/** `ECONNREFUSED`, or what TLS says. */
function causeOf(error: Error | null, isTls: boolean): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string')
      return cause.code === 'ECONNRESET' ? endedBy(isTls) : cause.code
  const message = error?.message.split('\n')[0] ?? ''
  return /^connection .* closed$/.test(message) ? endedBy(isTls) : message
}

/** Servers that require TLS close connections without it, and servers without TLS close connections that use it. */
const endedBy = (isTls: boolean): string =>
  isTls
    ? 'it closed the connection; if it does not use TLS, remove tls=true'
    : 'it closed the connection; if it requires TLS, add tls=true'

/** A URI without what is behind the name of the database, and without who and what is before its host. */
export const shownUri = (uri: string): string =>
  // Up to the last `@`: a password that nobody encoded may hold one.
  uri.replace(/\/\/.*@/s, '//***@').replace(/\?.*$/s, '')

/** Options of a URI whose values are secret. */
const secretOptions =
  /[?&](?:tlsCertificateKeyFilePassword|proxyPassword|authMechanismProperties)=([^&]*)/gi

/** A text in which nothing stands that is secret in a URI, as it is written or as it is meant. */
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
