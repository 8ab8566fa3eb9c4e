import { send } from './http.js'
import type { JsonValue } from './records.js'

/** The API tokens to send, by the names that cases use for them. */
export type Tokens = Readonly<Record<'full' | 'readonly' | 'custom', string>>

/** Prepares an empty service: locales, API tokens, permissions and, without `adminJwt`, the first admin. */
export async function setUp(base: string, adminJwt?: string): Promise<Tokens> {
  const { as, tokens } = await makeTokens(base, adminJwt)
  for (const [code, name] of locales)
    await call(base, 'POST', '/i18n/locales', { ...as, body: { code, name, isDefault: false } })
  const { roles } = (await call(base, 'GET', '/users-permissions/roles', as)) as unknown as RoleList
  for (const [type, actions] of Object.entries(grants)) {
    const role = roles.find((one) => one.type === type)
    if (!role) throw new Error(`There is no role of type ${type}`)
    await grant(base, as, role, actions)
  }
  return tokens
}

type As = Readonly<{ token: string }>

/** Creates the API tokens and, without `adminJwt`, the first admin. */
export async function makeTokens(
  base: string,
  adminJwt?: string,
): Promise<Readonly<{ as: As; tokens: Tokens }>> {
  const as = { token: adminJwt ?? (await registerAdmin(base)) }
  const createToken = async (
    key: string,
    type: string,
    permissions: readonly string[] | null,
  ): Promise<string> => {
    const body = { name: `conformance-${key}`, description: '', type, lifespan: null, permissions }
    const created = await call(base, 'POST', '/admin/api-tokens', { ...as, body })
    return at(created, 'data', 'accessKey') as string
  }
  const tokens = {
    full: await createToken('full', 'full-access', null),
    readonly: await createToken('readonly', 'read-only', null),
    custom: await createToken('custom', 'custom', ['api::article.article.find']),
  }
  return { as, tokens }
}

async function registerAdmin(base: string): Promise<string> {
  const registered = await call(base, 'POST', '/admin/register-admin', { body: admin })
  return at(registered, 'data', 'token') as string
}

const admin = {
  firstname: 'Con',
  lastname: 'Formance',
  email: 'admin@example.com',
  password: 'Conformance-1',
}

const locales = [
  ['fr', 'French (fr)'],
  ['de', 'German (de)'],
] as const

const grants = {
  public: ['article.find', 'article.findOne', 'category.find', 'category.findOne', 'homepage.find'],
  authenticated: [
    'article.find',
    'article.findOne',
    'article.create',
    'article.update',
    'article.delete',
    'author.find',
  ],
}

type RoleList = Readonly<{ roles: readonly Readonly<{ id: number; type: string }>[] }>
type Role = Readonly<{ name: string; description: string; permissions?: Permissions }>
type Permissions = Record<string, { controllers: Record<string, Record<string, Switch>> }>
type Switch = Readonly<{ enabled: boolean; policy: string }>

/** Adds actions (`article.find`) to those a role has. */
async function grant(
  base: string,
  as: Readonly<{ token: string }>,
  { id }: Readonly<{ id: number }>,
  actions: readonly string[],
): Promise<void> {
  const path = `/users-permissions/roles/${id}`
  const role = at(await call(base, 'GET', path, as), 'role') as unknown as Role
  const permissions: Permissions = structuredClone(role.permissions ?? {})
  for (const action of actions) {
    const [type = '', verb = ''] = action.split('.')
    const { controllers } = (permissions[`api::${type}`] ??= { controllers: {} })
    const controller = (controllers[type] ??= {})
    controller[verb] = { enabled: true, policy: '' }
  }
  const { name, description } = role
  await call(base, 'PUT', path, { ...as, body: { name, description, permissions, users: [] } })
}

async function call(
  base: string,
  method: string,
  path: string,
  options: Readonly<{ token?: string; body?: JsonValue }>,
): Promise<JsonValue> {
  const answer = await send(base, { method, path, ...options })
  if (answer.status >= 400 || answer.json === undefined)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.json
}

const at = (value: JsonValue, ...keys: readonly string[]): JsonValue | undefined =>
  keys.reduce<JsonValue | undefined>(
    (inner, key) => (inner as { readonly [key: string]: JsonValue } | null | undefined)?.[key],
    value,
  )
