import { drawPicture } from '../../cli/seed/pictures/draw-picture.js'
import type { Answered, Asked } from './client.js'
import type { Ground } from './open-ground.js'

/** Asks once, and notes how that went under the name of a kind. Rejects where another status came than one of these. */
export type Ask = (
  kind: string,
  statuses: readonly number[],
  asked: Asked,
) => Promise<Answered & Readonly<{ json: unknown }>>

/** Something that a client does, in one request or several, and leaves nothing behind. */
export type Story = (ask: Ask) => Promise<void>

/** The mix: stories, and how often each is told beside the others. */
export type Mix = readonly Readonly<{ weight: number; tell: Story }>[]

type Documents = Readonly<{ data: readonly Readonly<{ documentId: string }>[] }>

const articles = '/api/articles'
const deep =
  'populate[author][populate]=avatar&populate[category][populate]=parent&populate[tags]=true' +
  '&populate[sections]=true&populate[related][populate][author][populate]=avatar&populate[cover]=true'

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

/** @param ids of articles that are there */
export function createMix({ token, user }: Ground, ids: readonly string[]): Mix {
  const caller = { Authorization: `Bearer ${token}` }
  const json = { ...caller, 'Content-Type': 'application/json' }
  const one = () => `${articles}/${any(ids)}`
  const get = (kind: string, path: () => string): Story => {
    return async (ask) => void (await ask(kind, [200], { path: path(), headers: caller }))
  }
  const send = (ask: Ask, kind: string, method: string, path: string, data?: object) =>
    ask(kind, [200, 201, 204], {
      ...{ method, path, headers: json },
      body: data === undefined ? undefined : JSON.stringify({ data }),
    })

  const unchanged: Story = async (ask) => {
    const path = one()
    const { headers } = await ask('one', [200], { path, headers: caller })
    const asked = { path, headers: { ...caller, 'If-None-Match': headers.etag ?? '' } }
    await ask('not modified', [304], asked)
  }
  const write: Story = async (ask) => {
    const title = `Soak ${Math.random()}`
    const slug = `soak-${String(Math.random()).slice(2)}`
    const draft = {
      title,
      slug,
      summary: 'Written and deleted',
      readingMinutes: 3,
      related: ids[0],
    }
    const made = await send(ask, 'create', 'POST', `${articles}?status=draft`, draft)
    const path = `${articles}/${(made.json as { data: { documentId: string } }).data.documentId}`
    await send(ask, 'update', 'PUT', `${path}?status=draft`, { summary: 'Changed' })
    await send(ask, 'publish', 'POST', `${path}/actions/publish`)
    await ask('one', [200], { path: `${path}?${deep}`, headers: caller })
    await send(ask, 'update', 'PUT', path, { readingMinutes: 4, tags: [] })
    await send(ask, 'delete', 'DELETE', path)
  }
  const upload: Story = async (ask) => {
    const { body, headers } = pictureForm()
    const asked = { method: 'POST', path: '/api/upload', headers: { ...caller, ...headers }, body }
    const files = (await ask('upload', [201], asked)).json
    const [file] = files as readonly Readonly<{ id: number; url: string }>[]
    const url = new URL(file?.url ?? '', 'http://service')
    await ask('file', [200], { path: url.pathname + url.search })
    await send(ask, 'delete a file', 'DELETE', `/api/upload/files/${file?.id}`)
  }
  const logIn: Story = async (ask) => {
    const headers = { 'Content-Type': 'application/json' }
    const asked = { method: 'POST', path: '/api/auth/local', headers, body: JSON.stringify(user) }
    // A service of others may limit how often.
    const { status, json } = await ask('login', [200, 429], asked)
    if (status === 429) return
    const { jwt } = json as { jwt: string }
    const headersOfUser = { Authorization: `Bearer ${jwt}` }
    // What a role may do is the service's affair.
    await ask('user', [200, 403], { path: '/api/users/me', headers: headersOfUser })
  }
  const refused: Story = async (ask) => {
    const nobody = { Authorization: 'Bearer of-nothing' }
    await ask('refused', [400], { path: `${articles}?filters[titel][$eq]=x`, headers: caller })
    await ask('refused', [401], { path: articles, headers: nobody })
    await ask('refused', [404], { path: `${articles}/nothing-is-there`, headers: caller })
    await ask('refused', [400], { method: 'POST', path: articles, headers: json, body: '{"data":' })
  }
  return [
    { weight: 20, tell: get('list', () => `${articles}?sort=publishedOn:desc`) },
    { weight: 15, tell: get('one', one) },
    { weight: 6, tell: get('deep', () => `${articles}?${deep}&pagination[pageSize]=10`) },
    { weight: 2, tell: get('everything', () => `${articles}?populate=*&pagination[pageSize]=50`) },
    {
      weight: 8,
      tell: get(
        'filter',
        () =>
          `${articles}?filters[author][name][$containsi]=a&filters[readingMinutes][$gte]=${any([2, 4, 6])}&sort=title`,
      ),
    },
    { weight: 2, tell: get('search', () => `${articles}?_q=${any(['river', 'light', 'stone'])}`) },
    {
      weight: 4,
      tell: get('locale', () => `${articles}?locale=${any(['fr', 'de'])}&populate=tags`),
    },
    { weight: 3, tell: get('drafts', () => `${articles}?status=draft&fields=title,slug`) },
    { weight: 8, tell: unchanged },
    { weight: 6, tell: write },
    { weight: 1, tell: upload },
    { weight: 1, tell: logIn },
    { weight: 2, tell: refused },
  ]
}

/** Published articles that are there when the load begins. */
export async function findArticles(ask: Ask, token: string): Promise<readonly string[]> {
  const path = `${articles}?fields=slug&pagination[pageSize]=100`
  const headers = { Authorization: `Bearer ${token}` }
  const { data } = (await ask('list', [200], { path, headers })).json as Documents
  if (data.length === 0) throw new Error('There are no articles')
  return data.map(({ documentId }) => documentId)
}

const picture = drawPicture('hills', 'soak', 800, 600)

function pictureForm(): Readonly<{ body: Buffer; headers: Record<string, string> }> {
  const boundary = 'the-picture-of-the-soak'
  const head = 'Content-Disposition: form-data; name="files"; filename="soak.png"'
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\nContent-Type: image/png\r\n\r\n`),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } }
}
