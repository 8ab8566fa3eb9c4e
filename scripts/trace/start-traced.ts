import { join } from 'node:path'
import pino from 'pino'
import { createApiClient } from '../../cli/seed/api-client.js'
import { startQuire } from '../../server/lifecycle/start.js'
import { loadConfig } from '../../server/settings/config.js'
import { packageRoot } from '../../server/settings/own-command.js'

/** Starts the service in this process with some demo entries. Returns functions that send the requests to trace. */
export async function startTraced(folder: string) {
  const schemaDir = join(packageRoot, 'schema')
  const config = loadConfig(
    { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, SCHEMA_DIR: schemaDir },
    folder,
  )
  const quire = await startQuire(config, { log: pino({ level: 'silent' }) })
  const draft = { description: '', type: 'full-access', permissions: [], lifespan: null } as const
  const { accessKey } = await quire.access.tokens.create({ ...draft, name: 'trace' }, null)
  const api = createApiClient(quire.url, accessKey)
  const create = async (types: string, data: object): Promise<string> => {
    const path = `/api/${types}`
    return (await api.post<{ data: { documentId: string } }>(path, { data })).data.documentId
  }
  const author = await create('authors', { name: 'Mara Quill', slug: 'mara' })
  const other = await create('authors', { name: 'Hugh Penrose', slug: 'hugh' })
  const tag = await create('tags', { name: 'weather', slug: 'weather' })
  const heron = { title: 'An Hour With a Heron', slug: 'heron', author, tags: [tag] }
  const article = await create('articles', heron)
  const query =
    'filters[title][$contains]=Heron&sort=title&populate[author][fields]=name&populate[tags]=true'
  const data = { title: 'Two Hours With a Heron', author: other, tags: { connect: [tag] } }
  const requests = {
    'GET of a list, filtered, sorted and populated': () => api.get(`/api/articles?${query}`),
    'PUT of a field and two relations': () => api.put(`/api/articles/${article}`, { data }),
  }
  return { requests, stop: quire.stop }
}
