import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { logInAdmin } from '../../../cli/seed/access.js'
import type { ApiClient } from '../../../cli/seed/api-client.js'
import { startInProcess } from '../../support/service-in-process.js'
import { runService } from '../../support/service-process.js'

const schemaDir = fileURLToPath(new URL('../../../../schema', import.meta.url))
export const login = { email: 'ada@example.com', password: 'Correct-Horse-9' }

export type MagazineEnv = Readonly<Record<string, string> & { DATA_DIR: string }>

/** The environment of a service that serves the demo's content-types. */
export const magazineEnv = (
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): MagazineEnv => ({
  ...{ DATA_DIR: dataDir, SCHEMA_DIR: schemaDir },
  ...{ ADMIN_EMAIL: login.email, ADMIN_PASSWORD: login.password },
  ...more,
})

/** A running service, with clients of an admin and of a token. */
export type Magazine = Readonly<{
  base: string
  admin: ApiClient
  stop: () => Promise<void>
}>

type Start = (env: Readonly<Record<string, string>>, folder: string) => Started
type Started = Readonly<{
  url: Promise<string>
  stop: () => Promise<void>
  kill: () => unknown
}>

/** Returns a function that starts services on existing content. Services that a failed test left running are killed. */
export function magazinesForEach(
  start: Start,
): (env: Readonly<Record<string, string>>, folder: string) => Promise<Magazine> {
  const running: Started[] = []
  afterEach(() => Promise.all(running.splice(0).map(({ kill }) => kill())))
  return async (env, folder) => {
    const service = start(env, folder)
    running.push(service)
    const base = await service.url
    return { base, admin: await logInAdmin(base, login), stop: service.stop }
  }
}

/** Starts a service in this process. */
export const inThisProcess: Start = (env, folder) => {
  const service = startInProcess(env, folder)
  const stop = async () => (await service).stop()
  return { url: service.then(({ url }) => url), stop, kill: () => stop().catch(() => undefined) }
}

/** Starts a service as `npm start` does. It must exit with 0 when it is stopped. */
export const inItsOwnProcess: Start = (env, folder) => {
  const service = runService(env, folder)
  const stop = async (): Promise<void> => {
    service.kill('SIGTERM')
    expect((await service.ended).code).to.equal(0)
  }
  return { url: service.url, stop, kill: () => service.kill('SIGKILL') }
}

/** Creates a full-access API token. */
export async function makeToken(admin: ApiClient, name: string): Promise<string> {
  const { data } = await admin.post<{ data: { accessKey: string } }>('/admin/api-tokens', {
    ...{ name, description: '', type: 'full-access' },
    ...{ lifespan: null, permissions: null },
  })
  return data.accessKey
}

const everything = 'populate=*&sort=id&pagination[pageSize]=100'

/** Requests whose responses show whether all content is unchanged. */
const questions: readonly string[] = [
  ...['articles', 'authors', 'categories', 'tags', 'pages'].flatMap((type) => [
    `/api/${type}?${everything}`,
    `/api/${type}?${everything}&status=draft`,
    `/api/${type}?${everything}&locale=fr`,
    `/api/${type}?${everything}&locale=de&status=draft`,
  ]),
  '/api/articles?populate[author][populate][avatar]=true&populate[related][populate][category][populate][parent]=true&populate[sections][populate]=*&populate[cover]=true&sort=id&pagination[pageSize]=100',
  '/api/articles?publicationFilter=modified&sort=id',
  '/api/homepage?populate=*',
  '/api/site-settings?populate=*',
  '/api/upload/files?sort=id',
  '/api/users?sort=id',
  '/api/users-permissions/roles',
  '/api/i18n/locales',
  '/api/articles/aggregate?groupBy=category.name&count=*',
]

/** Returns the text of each response and the checksum of each file, by path. */
export async function answersOf(
  base: string,
  token: string,
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  const read = async (path: string): Promise<Buffer> => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${base}${path}`, { headers })
    const body = Buffer.from(await answer.arrayBuffer())
    expect(answer.status, `${path}: ${body.toString()}`).to.equal(200)
    return body
  }
  for (const path of questions) answers[path] = (await read(path)).toString()
  const files = JSON.parse(answers['/api/upload/files?sort=id'] ?? '[]') as readonly StoredFile[]
  expect(files).to.have.length.above(10)
  for (const { url, formats } of files)
    for (const each of [url, ...Object.values(formats ?? {}).map((format) => format.url)])
      answers[each] = createHash('sha256')
        .update(await read(each))
        .digest('hex')
  return answers
}

type StoredFile = Readonly<{
  url: string
  formats: Readonly<Record<string, Readonly<{ url: string }>>> | null
}>
