import { SignJWT, decodeJwt, decodeProtectedHeader } from 'jose'
import type { TestApp } from '../../support/test-app.js'
import { testJwtSecret } from '../../support/test-secrets.js'

/**
 * - `bad`: credentials that are not valid
 * - `public`: no credentials, or credentials of an unknown kind
 * - `user`, `token`: if `granted`, with only the tested action, otherwise with every action except the tested one
 */
type Kind = 'bad' | 'admin' | 'public' | 'user' | 'token' | 'read-only' | 'full-access'

export type MatrixCaller = Readonly<{
  name: string
  kind: Kind
  granted: boolean
  headers: Readonly<Record<string, string>>
}>

export type MatrixCallers = Readonly<{
  callers: readonly MatrixCaller[]
  /**
   * Gives callers with `granted` only `action`, and the others all actions except `action` and `wider`. Callers without
   * credentials only count as granted if `publicToo` is set.
   */
  grant: (
    action: string | undefined,
    publicToo: boolean,
    wider?: readonly string[],
  ) => Promise<void>
}>

/** Creates all kinds of callers in a service. */
export async function makeMatrixCallers(app: TestApp): Promise<MatrixCallers> {
  const { tokens, actions } = app.quire.access
  const { db } = app.quire.services
  const token = async (
    name: string,
    type: 'full-access' | 'read-only' | 'custom',
    lifespan: number | null = null,
  ) => tokens.create({ name, type, description: '', permissions: [], lifespan }, null)
  const bearer = (text: string) => ({ Authorization: `Bearer ${text}` })

  const roles = db.collection<{ type: string; permissions: readonly string[] }>('roles')
  for (const name of ['granted', 'others'])
    await app.request('POST', '/users-permissions/roles', { token: app.adminJwt, body: { name } })
  const user = async (username: string, role: string): Promise<string> => {
    const password = 'Passw0rd!'
    const body = { username, email: `${username}@example.org`, password }
    const made = await app.request('POST', '/api/auth/local/register', { body })
    const {
      jwt,
      user: { id },
    } = made.body as { jwt: string; user: { id: number } }
    const found = await roles.findOne({ type: role }, { projection: { _id: 1 } })
    const change = { role: Number(found?._id) }
    await app.request('PUT', `/api/users/${id}`, { token: app.token, body: change })
    return jwt
  }
  const put = (username: string, change: object) =>
    db.collection('users').updateOne({ username }, { $set: change })

  const grantedToken = await token('granted', 'custom')
  const otherToken = await token('others', 'custom')
  const removed = await token('removed', 'full-access')
  await tokens.remove(removed.token.id)
  const regenerated = await token('regenerated', 'full-access')
  await tokens.regenerate(regenerated.token.id)
  const expired = await token('expired', 'full-access', 1)
  const changed = await user('changed', 'granted')
  await put('changed', { password: 'another hash' })
  const blocked = await user('blocked', 'granted')
  await put('blocked', { blocked: true })
  const deletedUser = await user('deleted', 'granted')
  await db.collection('users').deleteOne({ username: 'deleted' })
  app.quire.access.userChanged()
  const grantedUser = await user('granted', 'granted')
  const deletedAdmin = await app.quire.access.admins.create({
    ...{ email: 'former@example.org', password: 'Former-admin-1', firstname: 'F', lastname: null },
  })
  const deletedAdminJwt = await app.quire.access.admins.issueToken(deletedAdmin.id)
  await app.quire.access.admins.remove(deletedAdmin.id)

  const bad = {
    'a malformed API token': 'not-a-token',
    'a malformed JWT': 'a.b.c',
    'an unsigned JWT': unsigned(grantedUser),
    'an expired API token': expired.accessKey,
    'an expired JWT': await expiredCopy(grantedUser),
    'an expired admin JWT': await expiredCopy(app.adminJwt),
    'a deleted API token': removed.accessKey,
    'the previous key of a regenerated API token': regenerated.accessKey,
    'a JWT from before a password change': changed,
    'a JWT of a blocked user': blocked,
    'a JWT of a deleted user': deletedUser,
    'a JWT of a deleted admin': deletedAdminJwt,
  }
  const caller = (name: string, kind: Kind, text: string, granted = false): MatrixCaller => ({
    ...{ name, kind, granted, headers: bearer(text) },
  })
  const callers: MatrixCaller[] = [
    { name: 'no credentials', kind: 'public', granted: true, headers: {} },
    {
      name: 'another scheme',
      kind: 'public',
      granted: true,
      headers: { Authorization: 'Basic YTpi' },
    },
    ...Object.entries(bad).map(([name, text]) => caller(name, 'bad', text)),
    caller('an admin', 'admin', app.adminJwt),
    caller('a user whose role has the action', 'user', grantedUser, true),
    caller('a user whose role has all other actions', 'user', await user('others', 'others')),
    caller('a custom token with the action', 'token', grantedToken.accessKey, true),
    caller('a custom token with all other actions', 'token', otherToken.accessKey),
    caller('a read-only token', 'read-only', (await token('reads', 'read-only')).accessKey),
    caller('a full-access token', 'full-access', app.token),
  ]

  const all = [...actions().keys()]
  const given = new Map<string, string>()
  const unlessSame = async (
    key: string,
    permissions: readonly string[],
    write: () => Promise<unknown>,
  ): Promise<void> => {
    const text = permissions.join()
    if (given.get(key) === text) return
    given.set(key, text)
    await write()
  }
  const grant: MatrixCallers['grant'] = async (action, publicToo, wider = []) => {
    const others = all.filter((id) => id !== action && !wider.includes(id))
    const granted = action === undefined ? all : [action]
    const set = (type: string, permissions: readonly string[]) =>
      unlessSame(`role ${type}`, permissions, () =>
        roles.updateOne({ type }, { $set: { permissions } }),
      )
    const update = ({ token: { id, name } }: typeof otherToken, permissions: readonly string[]) =>
      unlessSame(`token ${name}`, permissions, () =>
        tokens.update(id, { permissions: [...permissions] }),
      )
    await set('granted', granted)
    await set('others', others)
    await set('public', publicToo ? granted : others)
    await update(grantedToken, granted)
    await update(otherToken, others)
    app.quire.access.rolesChanged()
  }
  return { callers, grant }
}

/** Returns a JWT with the same claims and secret that expired a minute ago. */
function expiredCopy(jwt: string): Promise<string> {
  const claims = decodeJwt(jwt)
  const { kid = '' } = decodeProtectedHeader(jwt)
  return new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 })
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(new TextEncoder().encode(testJwtSecret))
}

function unsigned(jwt: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  return `${header}.${jwt.split('.')[1] ?? ''}.`
}
