import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { nearestName } from '../../engine/errors/nearest-name.js'
import { isObject, type PlainObject } from '../../engine/values/is-object.js'
import { parseJsonObject } from '../project/parse-json-object.js'
import { fileErrorReason } from '../project/file-error.js'
import type { Configuration } from './configuration.js'
import type { SubjectName } from './subject.js'

const subjects = ['locales', 'roles', 'api-tokens'] as const satisfies readonly SubjectName[]

const names = subjects.map((subject) => `${subject}.json`)

/** Reads a folder's files, omitting subjects without a file. Throws an Error that names what is unreadable. */
export async function readFiles(folder: string): Promise<Configuration> {
  const found = await readdir(folder).catch((error: unknown) => {
    throw new Error(`There is no folder ${folder} with configuration files`, { cause: error })
  })
  // A project may have other files here, but one with a similar name is probably misspelt.
  for (const name of found) {
    const meant = nearestName(name, names)
    if (meant !== undefined && name.endsWith('.json'))
      throw new Error(`Unknown file ${path.join(folder, name)}. Did you mean ${meant}?`)
  }
  const there = subjects.filter((subject) => found.includes(`${subject}.json`))
  if (there.length === 0)
    throw new Error(
      `${folder} contains none of ${names.join(', ')}. Create them with \`config pull\`, or give another folder with --dir or CONFIG_DIR`,
    )
  const read = there.map(
    async (subject) => [subject, await readJson(fileOf(folder, subject))] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

/**
 * Writes a file of stable JSON for each subject, atomically. Writes nothing and throws if an existing file has another
 * format: it may configure another program (Strapi reads `config/*.json`).
 */
export async function writeFiles(
  folder: string,
  configuration: Configuration,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  for (const subject of subjects)
    if (configuration[subject] !== undefined) await checkOurs(fileOf(folder, subject))
  const written: string[] = []
  for (const subject of subjects) {
    const items = configuration[subject]
    if (items === undefined) continue
    const file = fileOf(folder, subject)
    await writeFile(`${file}.tmp`, `${JSON.stringify(items, null, 2)}\n`)
    await rename(`${file}.tmp`, file)
    written.push(file)
  }
  return written
}

const fileOf = (folder: string, subject: SubjectName): string =>
  path.join(folder, `${subject}.json`)

async function checkOurs(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  )
  if (!isThere || Object.values(await readJson(file)).every(isObject)) return
  throw new Error(
    `${file} does not have the format of \`quire config\`, and was not overwritten. Give another folder with --dir or CONFIG_DIR`,
  )
}

async function readJson(file: string): Promise<PlainObject> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`${file} cannot be read: ${fileErrorReason(cause, file) ?? cause.message}`, {
      cause,
    })
  })
  const json = parseJsonObject(text)
  if ('fault' in json) throw new Error(`${file} ${json.fault}`)
  return json.value
}
