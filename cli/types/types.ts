import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkProject } from '../check/check-project.js'
import { fetchFromService, isAddress } from '../fetch-from-service.js'
import type { QuireCommand } from '../quire-command.js'
import { defaultClient, isModuleName } from '../../server/typescript/routes.js'
import { writeTypes } from '../../server/typescript/write-types.js'

type TypesOptions = Readonly<{
  /** The file to write. If absent, writes to standard output. */
  output?: string
  schema?: string
  /** The API of a running service (`https://site.example/api`). `token` is a full-access token of that service. */
  url?: string
  token?: string
  /** The module that the written file imports from. */
  client?: string
  /** Whether to compare the existing file with the types instead of writing it. */
  check: boolean
}>

/** Runs `quire types`. With `check`, returns whether the file is up to date. */
export async function types(options: TypesOptions, command: QuireCommand): Promise<boolean> {
  const { output, schema, url, client = defaultClient, check } = options
  if (check && output === undefined) command.error('error: --check needs -o')
  if (schema !== undefined && url !== undefined)
    command.error('error: types come from --schema or from --url, not from both')
  if (url !== undefined && !isAddress(url))
    command.error(`error: ${url} is not an address such as http://localhost:1337`)
  const token = options.token ?? (process.env.QUIRE_TOKEN || undefined)
  if (url !== undefined && token === undefined)
    command.error('error: --url needs --token, or QUIRE_TOKEN')
  if (!isModuleName(client)) command.error(`error: ${client} is not the name of a module`)
  const text =
    url === undefined || token === undefined
      ? await typesOfFolder(schema ?? (process.env.SCHEMA_DIR || 'schema'), client)
      : await fetchTypes(url, token, client)
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
  console.log(isSame ? `${output} is up to date` : `${output} is out of date`)
  return isSame
}

async function typesOfFolder(folder: string, client: string): Promise<string> {
  const { served, problem } = await checkProject(folder, process.env, process.cwd())
  if (served === undefined) throw new Error(problem ?? `There are no definitions in ${folder}`)
  return writeTypes(served.registry, served.settings, client)
}

async function fetchTypes(url: string, token: string, client: string): Promise<string> {
  const path = `/content-type-builder/typescript?client=${encodeURIComponent(client)}`
  const response = await fetchFromService(`${url.replace(/\/+$/, '')}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  const type = response.headers.get('Content-Type') ?? ''
  if (response.ok && type.startsWith('text/plain')) return text
  const answered = response.ok
    ? `a response of type ${type}`
    : `${response.status} ${refusal(text)}`
  const isElsewhere = response.ok || response.status === 404
  const hint = '; --url is the address of the API, such as https://site.example/api'
  const what = isElsewhere ? `${answered}${hint}` : answered
  throw new Error(`The service at ${url} did not send its types: ${what}`)
}

/** Returns the error message in a response body, or an empty string. */
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
