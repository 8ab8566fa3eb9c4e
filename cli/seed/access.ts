import type { Configuration } from '../../server/configuration/configuration.js'
import { logIn } from '../admin-client.js'
import { createApiClient, type ApiClient } from './api-client.js'

export type AdminLogin = Readonly<{ email: string; password: string }>

/** Logs an admin in. Returns a client for the management endpoints. */
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
  })
  return data
}

/** Runs `work` with a temporary full-access API token. */
export async function withToken<T>(
  base: string,
  admin: ApiClient,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  const { id, accessKey } = await createToken(
    admin,
    `Demo content ${new Date().toISOString()}`,
    'Created by npm run seed, which deletes it at the end',
  )
  try {
    return await work(createApiClient(base, accessKey))
  } finally {
    await admin.delete(`/admin/api-tokens/${id}`)
  }
}

/** Adds missing locales. Returns their number. */
export async function ensureLocales(
  admin: ApiClient,
  wanted: Readonly<Record<string, string>>,
): Promise<number> {
  const { locales } = await readConfiguration(admin)
  const missing = Object.entries(wanted).filter(([code]) => !Object.hasOwn(locales, code))
  const added = Object.fromEntries(missing.map(([code, name]) => [code, { name }]))
  // The list must contain the default locale, so send the existing locales too.
  if (missing.length > 0)
    await admin.put('/admin/configuration', { locales: { ...locales, ...added } })
  return missing.length
}

/** Grants actions such as `api::article.article.find` to the public role. */
export async function grantToPublic(admin: ApiClient, actions: readonly string[]): Promise<void> {
  const { roles } = await readConfiguration(admin)
  const permissions = [...new Set([roles.public?.permissions ?? [], actions].flat())]
  await admin.put('/admin/configuration', { roles: { public: { ...roles.public, permissions } } })
}

/** Reads what admins have configured (docs/configuration-files.md). */
async function readConfiguration(admin: ApiClient): Promise<Required<Configuration>> {
  const { data } = await admin.get<{ data: Required<Configuration> }>('/admin/configuration')
  return data
}
