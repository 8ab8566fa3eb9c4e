import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { logInAdmin } from '../../../cli/seed/access.js'
import { createApiClient, type ApiClient } from '../../../cli/seed/api-client.js'
import { seedDemo } from '../../../cli/seed/seed-demo.js'
import { runService } from '../../support/service-process.js'

const schemaDir = fileURLToPath(new URL('../../../../schema', import.meta.url))
const login = { email: 'ada@example.com', password: 'Correct-Horse-9' }

/** The environment of a service that serves the demo's content-types. */
export const magazineEnv = (
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...{ DATA_DIR: dataDir, SCHEMA_DIR: schemaDir },
  ...{ ADMIN_EMAIL: login.email, ADMIN_PASSWORD: login.password },
  ...more,
})

/** A service that runs, as an admin and as the owner of a token see it. */
export type Magazine = Readonly<{
  base: string
  admin: ApiClient
  stop: () => Promise<void>
}>

/** Starts services over what is there; what a test that failed left running ends with it. */
export function magazinesForEach(): typeof startMagazine {
  const running: ReturnType<typeof runService>[] = []
  afterEach(() => {
    for (const service of running.splice(0)) service.kill('SIGKILL')
  })
  return (env, folder) => startMagazine(env, folder, (service) => running.push(service))
}

async function startMagazine(
  env: Readonly<Record<string, string>>,
  folder: string,
  started: (service: ReturnType<typeof runService>) => void = () => undefined,
): Promise<Magazine> {
  const service = runService(env, folder)
  started(service)
  const base = await service.url
  return {
    base,
    admin: await logInAdmin(base, login),
    stop: async () => {
      service.kill('SIGTERM')
      expect((await service.ended).code).to.equal(0)
    },
  }
}

/** Fills it with the demo's content, and with what that has not; answers a token that may do everything. */
export async function fillMagazine({ base, admin }: Magazine): Promise<string> {
  await seedDemo({ base, admin: login, pictureWidth: 60 })
  const { data } = await admin.post<{ data: { accessKey: string } }>('/admin/api-tokens', {
    ...{ name: 'Everything', description: '', type: 'full-access' },
    ...{ lifespan: null, permissions: null },
  })
  const client = createApiClient(base, data.accessKey)
  const { data: draft } = await client.post<{ data: { documentId: string } }>(
    '/api/articles?status=draft',
    { data: { title: 'Not published', slug: 'not-published' } },
  )
  await client.put(`/api/articles/${draft.documentId}?status=draft`, {
    data: { title: 'Not published yet' },
  })
  await client.post('/api/auth/local/register', {
    ...{ username: 'reader', email: 'reader@example.com', password: 'Passw0rd!' },
  })
  return data.accessKey
}

const everything = 'populate=*&sort=id&pagination[pageSize]=100'

/** What somebody asks who wants to know whether all is as it was. */
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

/** All answers, as they were sent, and the checksums of all files. */
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
