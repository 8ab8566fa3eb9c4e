import { MongoServerError, type Db } from 'mongodb'
import type { Logger } from 'pino'

/** Throws if the user lacks a privilege. Outside a replica set, logs which guarantees are missing. */
export async function checkServer(db: Db, log: Logger): Promise<void> {
  const missing = missingRights(await privilegesIn(db), db.databaseName)
  if (missing.length > 0)
    throw new Error(
      `The user of MONGODB_URI lacks permissions in the database ${db.databaseName}: ` +
        `${missing.join(', ')}. ${giveRole(db.databaseName)}.`,
    )
  const hello = await db.command({ hello: 1 })
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    log.warn(
      { event: 'standalone-database' },
      'The database is a standalone MongoDB server. It has no transactions, so interrupted writes may need a repair, ' +
        'and data is on one disk only. Use a replica set, even with one member (--replSet, then replSetInitiate).',
    )
}

/** Actions that Quire performs in its database. The role `readWrite` allows all of them. */
const neededActions = [
  'find',
  'insert',
  'update',
  'remove',
  'createCollection',
  'listCollections',
  'createIndex',
  'dropIndex',
  'listIndexes',
] as const

/** A privilege in the format of the server. */
export type Privilege = Readonly<{
  resource: Readonly<{ db?: string; collection?: string; anyResource?: boolean }>
  actions: readonly string[]
}>

/**
 * Returns the needed actions that the user is not allowed to perform on any collection of the database. An action that
 * is allowed only on some collections is not returned, but fails later.
 *
 * @param privileges undefined if the server requires no authentication
 */
export function missingRights(
  privileges: readonly Privilege[] | undefined,
  database: string,
): readonly string[] {
  if (privileges === undefined) return []
  const allowed = new Set(
    privileges
      .filter(({ resource }) => covers(resource, database))
      .flatMap(({ actions }) => actions),
  )
  return allowed.has('anyAction') ? [] : neededActions.filter((action) => !allowed.has(action))
}

/** An empty `db` means all databases. */
const covers = ({ db, anyResource }: Privilege['resource'], database: string): boolean =>
  anyResource === true || db === '' || db === database

async function privilegesIn(db: Db): Promise<readonly Privilege[] | undefined> {
  const { authInfo } = (await db
    .command({ connectionStatus: 1, showPrivileges: true })
    .catch((error: unknown) => {
      // MongoDB-compatible servers without this command have no users.
      if (error instanceof MongoServerError && error.code === unknownCommand) return {}
      throw error
    })) as Status
  // If the server requires no authentication, everything is allowed.
  if ((authInfo?.authenticatedUsers ?? []).length === 0) return undefined
  return authInfo?.authenticatedUserPrivileges
}

type Status = Readonly<{
  authInfo?: Readonly<{
    authenticatedUsers?: readonly unknown[]
    authenticatedUserPrivileges?: readonly Privilege[]
  }>
}>

const unknownCommand = 59

const giveRole = (database: string): string =>
  `Give it the role readWrite on ${database} (grantRolesToUser), or use another user`

const unauthorized = 13

/** Replaces an error about a denied command by one that names the missing privilege. Returns other errors unchanged. */
export function explainDenied(error: unknown): unknown {
  if (!(error instanceof MongoServerError) || error.code !== unauthorized) return error
  const found = /not authorized on (\S+) to execute command \{ (\w+): /.exec(error.message)
  const [database, command] = [found?.[1], found?.[2]]
  if (database === undefined || command === undefined)
    return new Error('The server requires authentication, but MONGODB_URI has no user.', {
      cause: error,
    })
  return new Error(
    `The user of MONGODB_URI may not run ${command} on the database ${database}. ${giveRole(database)}.`,
    { cause: error },
  )
}
