import { MongoServerError, type Db } from 'mongodb'
import type { Logger } from 'pino'

/**
 * Looks at a database of others before it is used: throws where a right is missing, and says in the log what a
 * server that is no replica set cannot promise.
 */
export async function checkServer(db: Db, log: Logger): Promise<void> {
  const missing = missingRights(await privilegesIn(db), db.databaseName)
  if (missing.length > 0)
    throw new Error(
      `The user of MONGODB_URI may not do in the database ${db.databaseName} what Quire does there: ` +
        `${missing.join(', ')}. ${giveRole(db.databaseName)}.`,
    )
  const hello = await db.command({ hello: 1 })
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    log.warn(
      { event: 'standalone-database' },
      'The database is a MongoDB server by itself: it has no transactions, so that a write which is cut off may ' +
        'leave things to repair, and what it acknowledges is on one disk alone. As a replica set, of one member ' +
        'too (--replSet, then replSetInitiate), it has both.',
    )
}

/** What Quire does in a database; the role `readWrite` allows all of it. */
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

/** One of the privileges that a server says a user has. */
export type Privilege = Readonly<{
  resource: Readonly<{ db?: string; collection?: string; anyResource?: boolean }>
  actions: readonly string[]
}>

/**
 * The actions that are allowed on nothing in a database. What is allowed on single collections counts: whether
 * these are the right ones is found out when they are used.
 * @param privileges undefined where the server asks nobody who they are
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

/** An empty name stands for every one. */
const covers = ({ db, anyResource }: Privilege['resource'], database: string): boolean =>
  anyResource === true || db === '' || db === database

async function privilegesIn(db: Db): Promise<readonly Privilege[] | undefined> {
  const { authInfo } = (await db
    .command({ connectionStatus: 1, showPrivileges: true })
    .catch((error: unknown) => {
      // What speaks MongoDB's language and does not know this one has no users either.
      if (error instanceof MongoServerError && error.code === unknownCommand) return {}
      throw error
    })) as Status
  // Without authentication there is nobody, who may do anything.
  if ((authInfo?.authenticatedUsers ?? []).length === 0) return undefined
  return authInfo?.authenticatedUserPrivileges
}

type Status = Readonly<{
  authInfo?: Readonly<{
    authenticatedUsers?: readonly unknown[]
    authenticatedUserPrivileges?: readonly Privilege[]
  }>
}>

/** `CommandNotFound`. */
const unknownCommand = 59

const giveRole = (database: string): string =>
  `Give it the role readWrite on ${database} (grantRolesToUser), or name another user`

/** `Unauthorized`. */
const unauthorized = 13

/**
 * What to say of an error of a start: of a refusal by the server, which right is missing where, in place of the whole
 * command; any other error as it is.
 */
export function explainDenied(error: unknown): unknown {
  if (!(error instanceof MongoServerError) || error.code !== unauthorized) return error
  const found = /not authorized on (\S+) to execute command \{ (\w+): /.exec(error.message)
  const [database, command] = [found?.[1], found?.[2]]
  if (database === undefined || command === undefined)
    return new Error('The server wants to know who asks: MONGODB_URI names no user.', {
      cause: error,
    })
  return new Error(
    `The user of MONGODB_URI may not run ${command} on the database ${database}. ${giveRole(database)}.`,
    { cause: error },
  )
}
