import { send, sendOrFail, type HttpAnswer } from './http.js'
import { fillIn, type Names } from './placeholders.js'
import type { RequestBody } from './records.js'
import type { Tokens } from './setup.js'

/** One request of `seed.json`, sent with the full-access token. `name` stands for the document it writes. */
export type SeedStep = Readonly<{
  name?: string
  method: string
  path: string
  body: RequestBody
}>

/** Creates the documents and the user of the cases. Returns one line for each failed request. */
export async function seed(
  base: string,
  tokens: Tokens,
  steps: readonly SeedStep[],
  names: Names,
): Promise<readonly string[]> {
  const failures: string[] = []
  const check = (call: Readonly<{ method: string; path: string }>, answer: HttpAnswer): void => {
    if (answer.status >= 300)
      failures.push(`${call.method} ${call.path}: ${answer.status} ${answer.text.slice(0, 300)}`)
  }
  for (const step of steps) {
    const { method } = step
    const path = fillIn(step.path, names)
    const body = fillIn(step.body, names)
    const answer = await sendOrFail(base, { method, path, body, token: tokens.full })
    check(step, answer)
    if (step.name !== undefined) learn(step.name, answer, names)
  }
  const registration = { method: 'POST', path: '/api/auth/local/register', body: user }
  const registered = await sendOrFail(base, registration)
  check(registration, registered)
  learnUser(registered, names)
  await learnRecordIds(base, tokens, names)
  return failures
}

/** Like `seed`, for a service that already has the documents. Returns one line for each missing document. */
export async function learnSeeded(
  base: string,
  tokens: Tokens,
  steps: readonly SeedStep[],
  names: Names,
): Promise<readonly string[]> {
  const files = (await send(base, { path: '/api/upload/files', token: tokens.full })).json
  for (const { name, path, body } of steps) {
    if (name === undefined) continue
    const entry = path.startsWith('/api/upload')
      ? fileCalled(name, files)
      : await findSeeded(base, tokens, path, dataIn(body))
    names.documents[name] = entry?.documentId ?? `missing-${name}`
    if (path.startsWith('/api/upload')) names.ids[name] = { id: entry?.id }
  }
  const { email, password } = user
  const body = { identifier: email, password }
  const login = { method: 'POST', path: '/api/auth/local', body }
  learnUser(await sendOrFail(base, login), names)
  await learnRecordIds(base, tokens, names)
  return Object.values(names.documents).filter((id) => id.startsWith('missing-'))
}

/** Finds an uploaded file by its name in `seed.json`: `file.big` is `big.png`. */
const fileCalled = (name: string, files: HttpAnswer['json']): Entry | undefined =>
  (files as readonly (Entry & Readonly<{ name: string }>)[]).find(
    (file) => `file.${file.name}` === `${name}.png`,
  )

type Texts = Readonly<Partial<Record<'title' | 'name' | 'summary', string>>>

const dataIn = (body: RequestBody): Texts => (body as Readonly<{ data?: Texts }>).data ?? {}

/**
 * Finds the document of a seed step, published or draft: by its title, name or summary if the step has one, otherwise
 * the first document of the type.
 */
async function findSeeded(
  base: string,
  tokens: Tokens,
  path: string,
  { title, name, summary }: Texts,
): Promise<Entry | null | undefined> {
  const [place = '', query = ''] = path.split('?')
  const named = Object.entries({ title, name, summary }).find(([, value]) => value !== undefined)
  const locale = new URLSearchParams(query).get('locale') ?? 'en'
  const filter =
    named === undefined ? '' : `&filters[${named[0]}][$eq]=${encodeURIComponent(named[1] ?? '')}`
  for (const status of ['published', 'draft']) {
    const asked = `${place}?status=${status}&locale=${locale}${filter}`
    const found = dataOf((await sendOrFail(base, { path: asked, token: tokens.full })).json)
    const entry = Array.isArray(found) ? (found as readonly Entry[])[0] : found
    if (entry !== undefined && entry !== null) return entry
  }
  return undefined
}

const user = { username: 'oracle', email: 'oracle@example.com', password: 'Passw0rd!' }

type Entry = Readonly<{ documentId?: string; id?: number }>

/**
 * Remembers the ids in a response under a name. An upload responds with a bare list, everything else with `{ data }`.
 */
function learn(name: string, { json }: HttpAnswer, names: Names): void {
  if (Array.isArray(json)) {
    const [file] = json as readonly Entry[]
    names.documents[name] = file?.documentId ?? `missing-${name}`
    names.ids[name] = { id: file?.id }
  } else {
    names.documents[name] = dataOf(json)?.documentId ?? `missing-${name}`
  }
}

function learnUser({ json }: HttpAnswer, names: Names): void {
  const answer = json as Readonly<{ jwt?: string; user?: Entry }> | null | undefined
  names.jwt = answer?.jwt ?? null
  names.documents['user.oracle'] = answer?.user?.documentId ?? 'missing-user'
  names.ids['user.oracle'] = { id: answer?.user?.id }
}

const plurals: Readonly<Record<string, string>> = {
  article: 'articles',
  author: 'authors',
  category: 'categories',
  tag: 'tags',
}

async function learnRecordIds(base: string, tokens: Tokens, names: Names): Promise<void> {
  for (const [name, documentId] of Object.entries(names.documents)) {
    const plural = plurals[name.split('.')[0] ?? '']
    if (plural === undefined) continue
    const locale = name === 'article.german' ? '&locale=de' : ''
    const idOf = async (query: string): Promise<number | undefined> => {
      const path = `/api/${plural}/${documentId}?${query}fields=id${locale}`
      return dataOf((await sendOrFail(base, { path, token: tokens.full })).json)?.id
    }
    const id = await idOf('')
    const draftId = await idOf('status=draft&')
    names.ids[name] = { id: id ?? draftId, draftId }
  }
}

const dataOf = (json: HttpAnswer['json']): Entry | null | undefined =>
  (json as Readonly<{ data?: Entry | null }> | null | undefined)?.data
