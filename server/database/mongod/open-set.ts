import { setTimeout as sleep } from 'node:timers/promises'
import { MongoServerError, type Db, type MongoClient } from 'mongodb'
import { majorOf } from './mongod-version.js'
import { setName } from './mongod-config.js'

/** Quire's database user, and the only database that this user may access. */
export const user = 'quire'
export const database = 'quire'

export type SetOptions = Readonly<{
  /** Address of the only member, such as `127.0.0.1:27017`. */
  host: string
  password: string
}>

type SetConfig = { version: number; members: { host: string }[] }

const pollIntervalMs = 20

/**
 * Makes a running server the primary of a replica set with one member. If the set exists, updates the member's address.
 * Creates Quire's user. Returns the server's version.
 *
 * @param client a direct connection that authenticates as the server itself
 */
export async function openSet(
  client: MongoClient,
  { host, password }: SetOptions,
  ended: AbortSignal,
): Promise<string> {
  const admin = client.db('admin')
  await becomeMember(client, host, ended)
  while ((await admin.command({ hello: 1 })).isWritablePrimary !== true)
    await sleep(pollIntervalMs, undefined, { signal: ended })
  await ensureUser(admin, password)
  const { version } = (await admin.command({ buildInfo: 1 })) as unknown as { version: string }
  await useOwnFormat(admin, version)
  return version
}

async function becomeMember(client: MongoClient, host: string, ended: AbortSignal): Promise<void> {
  const admin = client.db('admin')
  for (;;) {
    const config = await client
      .db('local')
      .collection<SetConfig>('system.replset')
      .findOne({}, { readPreference: 'secondaryPreferred' })
    if (config?.members[0]?.host === host) return
    try {
      if (config === null)
        await admin.command({ replSetInitiate: { _id: setName, members: [{ _id: 0, host }] } })
      else {
        const members = config.members.map((member) => ({ ...member, host }))
        const moved = { ...config, members, version: config.version + 1 }
        await admin.command({ replSetReconfig: moved, force: true })
      }
      return
    } catch (error) {
      if (!isStarting(error)) throw error
    }
    await sleep(pollIntervalMs, undefined, { signal: ended })
  }
}

/** `AlreadyInitialized` or `NotYetInitialized`: the server is still loading its replica set configuration. */
const isStarting = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === 23 || error.code === 94)

/**
 * Creates Quire's user or sets its password, which differs from the password file if the folder was restored without
 * that file.
 */
async function ensureUser(admin: Db, password: string): Promise<void> {
  const { users } = (await admin.command({ usersInfo: user })) as unknown as { users: unknown[] }
  const command = users.length === 0 ? 'createUser' : 'updateUser'
  const roles = [{ role: 'readWrite', db: database }]
  await admin.command({ [command]: user, pwd: password, roles })
}

/** Raises the version of the file format. Otherwise the next MongoDB release could not open the files. */
async function useOwnFormat(admin: Db, version: string): Promise<void> {
  const own = version.split('.').slice(0, 2).join('.')
  const { featureCompatibilityVersion: current } = (await admin.command({
    getParameter: 1,
    featureCompatibilityVersion: 1,
  })) as unknown as { featureCompatibilityVersion: { version: string } }
  if (current.version === own) return
  await admin.command({
    setFeatureCompatibilityVersion: own,
    confirm: majorOf(version) >= 7 || undefined,
  })
}
