import { logIn } from '../admin-client.js'
import { createApiClient, type ApiClient } from './api-client.js'

export type AdminLogin = Readonly<{ email: string; password: string }>

/** Logs an admin user in; the client speaks to the management endpoints. */
export const logInAdmin = async (base: string, login: AdminLogin): Promise<ApiClient> =>
  createApiClient(base, await logIn(base.replace(/\/$/, ''), login))

export type MadeToken = Readonly<{ id: number; accessKey: string }>

/** Creates an API token with full access. */
export async function createToken(
  admin: ApiClient,
  name: string,
  description: string,
): Promise<MadeToken> {
  const { data } = await admin.post<{ data: MadeToken }>('/admin/api-tokens', {
    name,
    description,
    type: 'full-access',
    lifespan: null,
    permissions: null,
  })
  return data
}

/** Does work with a full-access API token that exists for that long only. */
export async function withToken<T>(
  base: string,
  admin: ApiClient,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const { id, accessKey } = await createToken(
    admin,
    `Demo content ${new Date().toISOString()}`,
    'Made by npm run seed, which deletes it when it is done',
  )
  try {
    return await work(createApiClient(base, accessKey))
  } finally {
    await admin.delete(`/admin/api-tokens/${id}`)
  }
}

/** Adds the locales that are not configured yet. */
export async function ensureLocales(
  admin: ApiClient,
  wanted: Readonly<Record<string, string>>,
): Promise<number> {
  const present = await admin.get<readonly Readonly<{ code: string }>[]>('/i18n/locales')
  const missing = Object.entries(wanted).filter(
    ([code]) => !present.some((locale) => locale.code === code),
  )
  for (const [code, name] of missing) {
    await admin.post('/i18n/locales', { code, name, isDefault: false })
  }
  return missing.length
}

type Permissions = Record<
  string,
  { controllers: Record<string, Record<string, { enabled: boolean; policy?: string }>> }
>
type Role = Readonly<{ id: number; type: string; name: string; description: string }>

/** Gives the public role actions such as `article.find`, beside those that it has. */
export async function grantToPublic(admin: ApiClient, actions: readonly string[]): Promise<void> {
  const { roles } = await admin.get<{ roles: readonly Role[] }>('/users-permissions/roles')
  const publicRole = roles.find(({ type }) => type === 'public')
  if (publicRole === undefined) throw new Error('There is no public role to give permissions to')
  const path = `/users-permissions/roles/${publicRole.id}`
  const { role } = await admin.get<{ role: Role & { permissions: Permissions } }>(path)
  const permissions = role.permissions
  for (const action of actions) {
    const [type = '', verb = ''] = action.split('.')
    const group = (permissions[`api::${type}`] ??= { controllers: {} })
    const controller = (group.controllers[type] ??= {})
    controller[verb] = { enabled: true, policy: '' }
  }
  await admin.put(path, { name: role.name, description: role.description, permissions, users: [] })
}
