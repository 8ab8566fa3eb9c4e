import sharp from 'sharp'
import { createApiClient } from '../../cli/seed/api-client.js'
import type { Services } from './open-services.js'
import { any, type Ask, type Story } from './run-load.js'

type Document = Readonly<{ documentId: string }>

const articles = '/api/articles'
const deep =
  'populate[author][populate]=avatar&populate[category][populate]=parent&populate[tags]=true' +
  '&populate[sections]=true&populate[related][populate][author][populate]=avatar&populate[cover]=true'
const filter = 'filters[author][name][$containsi]=a&filters[readingMinutes][$gte]'

const times = (count: number, story: Story): readonly Story[] => Array<Story>(count).fill(story)

/** What clients do, each as often as its share. */
export async function createMix({ urls, token, login }: Services): Promise<readonly Story[]> {
  const api = createApiClient(urls[0] ?? '', token)
  const { data } = await api.get<{ data: readonly Document[] }>(
    `${articles}?fields=slug&pagination[pageSize]=100`,
  )
  if (data.length === 0) throw new Error('There are no articles')
  const ids = data.map(({ documentId }) => documentId)
  const background = { r: 90, g: 120, b: 140 }
  const picture = sharp({ create: { width: 800, height: 600, channels: 3, background } })
  const png = new Blob([new Uint8Array(await picture.png().toBuffer())], { type: 'image/png' })

  const headers = { Authorization: `Bearer ${token}` }
  const json = { ...headers, 'Content-Type': 'application/json' }
  const one = (): string => `${articles}/${any(ids)}`
  const get = (kind: string, path: () => string) => (ask: Ask) =>
    ask(kind, [200], path(), { headers })

  const unchanged: Story = async (ask) => {
    const path = one()
    const etag = (await ask('one', [200], path, { headers })).headers.get('etag') ?? ''
    await ask('not modified', [304], path, { headers: { ...headers, 'If-None-Match': etag } })
  }
  const write: Story = async (ask) => {
    const send = (kind: string, method: string, path: string, data?: object) =>
      ask(kind, [200, 201, 204], path, { method, headers: json, body: JSON.stringify({ data }) })
    const slug = `soak-${String(Math.random()).slice(2)}`
    const draft = { title: slug, slug, summary: 'Draft', readingMinutes: 3, related: ids[0] }
    const { text } = await send('create', 'POST', `${articles}?status=draft`, draft)
    const path = `${articles}/${(JSON.parse(text) as { data: Document }).data.documentId}`
    await send('update', 'PUT', `${path}?status=draft`, { summary: 'Changed' })
    await send('publish', 'POST', `${path}/actions/publish`)
    await ask('one', [200], `${path}?${deep}`, { headers })
    await send('update', 'PUT', path, { readingMinutes: 4, tags: [] })
    await ask('delete', [204], path, { method: 'DELETE', headers })
  }
  const upload: Story = async (ask) => {
    const body = new FormData()
    body.append('files', png, 'soak.png')
    const { text } = await ask('upload', [201], '/api/upload', { method: 'POST', headers, body })
    const [{ id, url }] = JSON.parse(text) as [Readonly<{ id: number; url: string }>]
    const { pathname, search } = new URL(url, 'http://service')
    await ask('file', [200], pathname + search)
    await ask('delete a file', [200], `/api/upload/files/${id}`, { method: 'DELETE', headers })
  }
  const logIn: Story = async (ask) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(login) }
    // A running service may limit logins, and its role may lack the permission.
    const { status, text } = await ask('login', [200, 429], '/api/auth/local', init)
    if (status === 429) return
    const { jwt } = JSON.parse(text) as { jwt: string }
    const authorized = { headers: { Authorization: `Bearer ${jwt}` } }
    await ask('user', [200, 403], '/api/users/me', authorized)
  }
  const refused: Story = async (ask) => {
    await ask('refused', [400], `${articles}?filters[titel][$eq]=x`, { headers })
    await ask('refused', [401], articles, { headers: { Authorization: 'Bearer wrong' } })
    await ask('refused', [404], `${articles}/nothing-is-there`, { headers })
    await ask('refused', [400], articles, { method: 'POST', headers: json, body: '{"data":' })
  }
  return [
    ...times(
      20,
      get('list', () => `${articles}?sort=publishedOn:desc`),
    ),
    ...times(15, get('one', one)),
    ...times(
      6,
      get('deep', () => `${articles}?${deep}&pagination[pageSize]=10`),
    ),
    ...times(
      2,
      get('everything', () => `${articles}?populate=*&pagination[pageSize]=50`),
    ),
    ...times(
      8,
      get('filter', () => `${articles}?${filter}=${any([2, 4, 6])}&sort=title`),
    ),
    ...times(
      2,
      get('search', () => `${articles}?_q=${any(['river', 'light', 'stone'])}`),
    ),
    ...times(
      4,
      get('locale', () => `${articles}?locale=${any(['fr', 'de'])}&populate=tags`),
    ),
    ...times(
      3,
      get('drafts', () => `${articles}?status=draft&fields=title,slug`),
    ),
    ...times(8, unchanged),
    ...times(6, write),
    upload,
    logIn,
    ...times(2, refused),
  ]
}
