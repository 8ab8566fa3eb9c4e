import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { loadConfig } from '../../server/settings/config.js'
import { startQuire } from '../../server/lifecycle/start.js'

type TracedRequest = Readonly<{ name: string; send: () => Promise<void> }>

/** The service in this process, with some entries of the demo's model, and the requests that are followed, in their order. */
export async function startTraced(
  folder: string,
): Promise<Readonly<{ requests: readonly TracedRequest[]; stop: () => Promise<void> }>> {
  const schemaDir = fileURLToPath(new URL('../../../schema', import.meta.url))
  const config = loadConfig(
    { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, SCHEMA_DIR: schemaDir },
    folder,
  )
  const quire = await startQuire(config, { log: pino({ level: 'silent' }) })
  const draft = { description: '', type: 'full-access', permissions: [], lifespan: null } as const
  const { accessKey } = await quire.access.tokens.create({ ...draft, name: 'trace' }, null)

  const call = async (method: string, target: string, data?: unknown): Promise<string> => {
    const response = await fetch(new URL(target, quire.url), {
      method,
      headers: { Authorization: `Bearer ${accessKey}`, 'Content-Type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    })
    const body = (await response.json()) as { data?: { documentId: string } }
    if (!response.ok) throw new Error(`${method} ${target}: ${JSON.stringify(body)}`)
    return body.data?.documentId ?? ''
  }
  const author = await call('POST', '/api/authors', { name: 'Mara Quill', slug: 'mara' })
  const other = await call('POST', '/api/authors', { name: 'Hugh Penrose', slug: 'hugh' })
  const tag = await call('POST', '/api/tags', { name: 'weather', slug: 'weather' })
  const article = await call('POST', '/api/articles', {
    ...{ title: 'An Hour With a Heron', slug: 'heron', author, tags: [tag] },
  })
  return {
    requests: [
      {
        name: 'GET of a list, filtered, sorted and populated',
        send: async () => {
          const query =
            'filters[title][$contains]=Heron&sort=title&populate[author][fields]=name&populate[tags]=true'
          await call('GET', `/api/articles?${query}`)
        },
      },
      {
        name: 'PUT of a field and two relations',
        send: async () => {
          const data = { title: 'Two Hours With a Heron', author: other, tags: { connect: [tag] } }
          await call('PUT', `/api/articles/${article}`, data)
        },
      },
    ],
    stop: quire.stop,
  }
}
