import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkProject } from '../check/check-project.js'
import { defaultClient } from '../../server/typescript/routes.js'
import { writeTypes } from '../../server/typescript/write-types.js'

type TypesOptions = Readonly<{
  /** A folder of definitions, or the API of a service (`https://site.example/api`) with a full-access token. */
  from: Readonly<{ folder: string }> | Readonly<{ url: string; token: string }>
  /** Path of the file; absent: standard output. */
  output?: string | undefined
  /** What the file imports from. */
  client?: string | undefined
  /** Whether the file is only compared. */
  check: boolean
}>

/**
 * What `quire types` does; answers whether the file is what it should be.
 * @throws Error that says why there are no types
 */
export async function types({ from, output, client, check }: TypesOptions): Promise<boolean> {
  const module = client ?? defaultClient
  const text =
    'folder' in from ? await typesOfFolder(from.folder, module) : await fetchTypes(from, module)
  if (output === undefined) {
    process.stdout.write(text)
    return true
  }
  const file = path.resolve(output)
  if (!check) {
    await writeFile(file, text)
    console.log(`Wrote ${output}`)
    return true
  }
  const isSame = (await textOf(file)) === text
  console.log(isSame ? `${output} is up to date` : `${output} is not what would be written`)
  return isSame
}

async function typesOfFolder(folder: string, client: string): Promise<string> {
  const { served, problem } = await checkProject(folder, process.env, process.cwd())
  if (served === undefined) throw new Error(problem ?? `${folder} holds no definitions`)
  return writeTypes(served.registry, served.settings, client)
}

async function fetchTypes(
  { url, token }: Readonly<{ url: string; token: string }>,
  client: string,
): Promise<string> {
  const path = `/content-type-builder/typescript?client=${encodeURIComponent(client)}`
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  const type = response.headers.get('Content-Type') ?? ''
  if (response.ok && type.startsWith('text/plain')) return text
  const answered = response.ok ? `an answer of type ${type}` : `${response.status} ${refusal(text)}`
  const isElsewhere = response.ok || response.status === 404
  const hint = '; --url is the address of the API, such as https://site.example/api'
  const what = isElsewhere ? `${answered}${hint}` : answered
  throw new Error(`${url} did not tell its types: ${what}`)
}

/** What the envelope says, of whatever was answered. */
function refusal(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message : ''
  } catch {
    return ''
  }
}

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
