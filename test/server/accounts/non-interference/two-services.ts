import { collectionOf } from '../../../../engine/schema/content-type.js'
import { builtIn, typeOf } from '../../../../engine/schema/registry.js'
import { contentTypesOf } from '../../../engine/read/execute/naive/draw-world.js'
import { libraryDefinitions } from '../../../engine/read/execute/naive/library.js'
import type { Doc, World } from '../../../engine/read/execute/naive/world.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'
import { canRead, type Permissions } from './permissions.js'
import type { AnyRequest } from './draw-request.js'

export type TwoServices = Readonly<{ one: TestApp; other: TestApp; stop: () => Promise<void> }>

/**
 * The time limits are long, so that a busy machine causes no failures. The database is exclusive, so that responses are
 * cached.
 */
const settings = {
  ...{ 'api.rest.queryTimeoutMs': 120_000, 'api.rest.writeTimeoutMs': 120_000 },
  'database.exclusive': true,
}

/** Starts two services with the content model of `library`, and three users each. */
export async function startTwoServices(): Promise<TwoServices> {
  const schema = Object.fromEntries(
    libraryDefinitions.map(({ kind, uid, definition }) =>
      kind === 'component'
        ? [`components/${uid.replace('.', '/')}.json`, definition as object]
        : [`content-types/${uid.split('.').at(-1)}.json`, definition as object],
    ),
  )
  const start = () => startApp({ schema, settings })
  const [one, other] = await Promise.all([start(), start()])
  // Each service creates its roles with different ids, so the roles of one service are copied to the other.
  const [from, to] = [one, other].map(({ quire }) => quire.services.db.collection('roles'))
  await to?.deleteMany({})
  await to?.insertMany((await from?.find().toArray()) ?? [])
  await Promise.all([one, other].map(startSequences))
  return {
    one,
    other,
    stop: async () => {
      await one.stop()
      await other.stop()
    },
  }
}

/** Replaces the content of a service, and sets the permissions of callers without credentials. */
export async function fill(app: TestApp, world: World, permissions: Permissions): Promise<void> {
  const { db, registry } = app.quire.services
  const types = [
    ...contentTypesOf(registry()),
    ...[builtIn.file, builtIn.adminUser].map((uid) => typeOf(registry(), uid)),
  ]
  const names = types.flatMap((type) => [
    collectionOf(type, 'published'),
    collectionOf(type, 'draft'),
  ])
  for (const name of new Set(names)) {
    await db.collection(name).deleteMany({})
    const docs = world.collections.get(name) ?? []
    if (docs.length > 0) await db.collection(name).insertMany(docs.map((doc): Doc => ({ ...doc })))
  }
  await db
    .collection('roles')
    .updateOne({ type: 'public' }, { $set: { permissions: [...permissions] } })
  app.quire.access.rolesChanged()
  await db.collection('_idempotency').deleteMany({})
  // A write clears the service's cache of totals, which does not notice direct writes to the database.
  await app.request('DELETE', '/api/books/none', { token: app.token })
}

const instant = new Date('2026-01-01T00:00:00.000Z')

/**
 * Creates users. What the caller may not read depends on `secret`: passwords and tokens, and, if the caller may not
 * read users, also their names and number.
 */
export async function fillUsers(
  app: TestApp,
  permissions: Permissions,
  secret: string,
): Promise<void> {
  const { db, registry } = app.quire.services
  const readable = canRead(permissions, typeOf(registry(), builtIn.user), 'published')
  const roles = await db.collection('roles').find().sort({ _id: 1 }).toArray()
  const role = permissions.has('plugin::users-permissions.role.find')
    ? roles[0]
    : roles[secret.length % 2]
  const shown = readable ? 'all' : secret
  const users = Array.from({ length: readable ? 3 : secret.length }, (_, index) => ({
    _id: index + 1,
    documentId: `user${index}`,
    ...{ username: `${shown} ${index}`, email: `${shown}${index}@example.org`, provider: 'local' },
    ...{ password: secret, resetPasswordToken: secret, confirmationToken: secret },
    ...{ confirmed: true, blocked: false, createdBy: null, updatedBy: null, locale: null },
    ...{ createdAt: instant, updatedAt: instant, publishedAt: instant, _revision: 1 },
    role: { documentId: String(role?.['documentId']), order: 1 },
  }))
  await db.collection('users').deleteMany({})
  await db.collection<{ _id: number }>('users').insertMany(users)
  app.quire.access.userChanged()
}

/** New entries get record ids from this one on, so that they differ from those of drawn worlds. */
const firstNewId = 5_000_000

async function startSequences({ quire }: TestApp): Promise<void> {
  const { db, registry } = quire.services
  const names = [...contentTypesOf(registry()).map(({ uid }) => uid), 'components']
  await db.collection<{ _id: string; value: number }>('_sequences').bulkWrite(
    names.map((_id) => ({
      updateOne: { filter: { _id }, update: { $set: { value: firstNewId } }, upsert: true },
    })),
  )
}

/** Returns a response without values that vary between requests. */
export async function answerOf(
  app: TestApp,
  { method = 'GET', path, headers, body }: AnyRequest,
): Promise<Readonly<{ status: number; headers: object; text: string }>> {
  const sent = body === undefined ? { headers } : { headers, body }
  const answer = await app.request(method, path, sent)
  const shown = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  const comparable = Object.fromEntries(shown)
  const reset = comparable['x-ratelimit-reset']
  // The minute of the rate limit begins with the first attempt, so the two services can differ by a second.
  if (reset !== undefined) comparable['x-ratelimit-reset'] = `${endsInAMinute(Number(reset))}`
  return { status: answer.status, headers: comparable, text: answer.text }
}

const endsInAMinute = (seconds: number): boolean => {
  const left = seconds - Date.now() / 1000
  return left > -1 && left < 62
}

/** Like `answerOf`, but also without values that vary between writes: times, ids and their ETags. */
export async function answerOfWriter(app: TestApp, request: AnyRequest): Promise<object> {
  const { status, headers, text } = await answerOf(app, request)
  const plain = text
    .replace(/"2\d{3}-[\d-]+T[\d:.]+Z"/g, (time) =>
      Date.parse(JSON.parse(time) as string) < began ? time : '"<now>"',
    )
    .replace(/"id":(\d{7,})/g, (id, digits) => (Number(digits) < firstNewId ? id : '"id":"<new>"'))
    .replace(/"[a-z][a-z0-9]{23}"/g, '"<document>"')
  return { status, headers: { ...headers, etag: undefined }, text: plain }
}

const began = Date.now()
