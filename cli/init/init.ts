import { randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { countText } from '../../engine/values/count-text.js'
import { packageRoot, isCheckout } from '../../server/settings/own-command.js'
import { givenEnvironment } from '../environment.js'
import { writeDefinitionFiles } from '../import-runner/place-definitions.js'
import { chooseProfile, type Profile } from './choose-profile.js'
import { shellWord } from './quoted.js'
import { template } from './sample-types.js'
import { readStrapiProject, type StrapiProject } from './strapi-project.js'

type InitOptions = Readonly<{
  magazine: boolean
  empty: boolean
  /** The folder of a Strapi project to take definitions and settings from. */
  fromStrapi?: string
  profile?: Profile
  from?: string
  install: boolean
  omitOptional: boolean
}>

/**
 * Files of the template to which `quire init` adds a leading dot. The template lacks the dot, because npm treats some
 * dot files specially.
 */
const dotted = ['env.example', 'gitignore', 'dockerignore']

/** Runs `quire init`. Throws if the folder is not empty. */
export async function init(given: string, options: InitOptions): Promise<void> {
  const folder = resolve(given)
  await refuseFull(folder)
  const { fromStrapi, magazine } = options
  const strapi = fromStrapi === undefined ? undefined : await readStrapiProject(fromStrapi)
  const profile = options.profile ?? (await chooseProfile())
  const name = projectName(folder)
  const from = options.from ?? (await findOwnSource())
  await mkdir(folder, { recursive: true })
  const source = await bringSource(from, folder)
  const hasSamples = !options.empty && strapi === undefined
  const port = strapi?.variables.PORT ?? '1337'
  await copyTemplate(folder, { name, port, source: sourceText(source) }, hasSamples)
  if (!hasSamples) await emptySchema(folder)
  await makeEmptyFolder(join(folder, 'config'))
  if (magazine) await useMagazine(folder)
  if (strapi !== undefined) await writeDefinitionFiles(join(folder, 'schema'), strapi.definitions)
  await writeSettings(folder, profile, strapi)
  await writeEnv(folder, strapi?.variables)
  await writeJson(join(folder, 'package.json'), manifest(name, source))
  if (options.omitOptional) await writeFile(join(folder, '.npmrc'), 'omit=optional\n')
  console.log(`Made ${folder}`)
  if (options.install) await installPackages(folder)
  console.log(nextSteps(folder, options, strapi))
}

async function refuseFull(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Error(`${folder} cannot be the folder of a project: ${error.message}`)
  })
  const others = names.filter((name) => name !== '.git')
  if (others.length > 0)
    throw new Error(`${folder} is not empty: it has ${others.slice(0, 3).join(', ')}`)
}

function projectName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  return name === '' ? 'site' : name
}

/** @param texts what replaces `{{name}}`, `{{port}}` and `{{source}}` in README.md */
async function copyTemplate(
  folder: string,
  texts: Readonly<Record<string, string>>,
  hasSamples: boolean,
): Promise<void> {
  await cp(template, folder, {
    recursive: true,
    filter: (source) => dirname(source) !== template || !dotted.includes(basename(source)),
  })
  for (const file of dotted) await cp(join(template, file), join(folder, `.${file}`))
  const readme = join(folder, 'README.md')
  const text = await readFile(readme, 'utf8')
  const ofSamples = /<!-- sample types -->\n\n([^]*?)<!-- \/sample types -->\n\n/g
  await writeFile(
    readme,
    text
      .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => texts[name] ?? '')
      .replace(ofSamples, hasSamples ? '$1' : ''),
  )
}

/** Empties the folder of content-types, and adds a `.gitkeep`, because git does not store empty folders. */
async function emptySchema(folder: string): Promise<void> {
  const types = join(folder, 'schema', 'content-types')
  await rm(types, { recursive: true })
  await makeEmptyFolder(types)
}

/** Makes a folder with a `.gitkeep`, because git does not store empty folders. */
async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, '.gitkeep'), '')
}

/** Returns the text for README.md on where Quire is installed from, and how to install another version. */
function sourceText(source: string): string {
  const place = source.replace(/^file:/, '')
  if (source.endsWith('.tgz'))
    return `Quire is installed from \`${place}\` in this folder. To install another version, copy its package here, and run \`npm install ./quire-content-….tgz\`.`
  if (source.startsWith('file:'))
    return `Quire is linked to the checkout in \`${place}\`, and runs its compiled code. To upgrade, run \`git pull && npm ci && npm run build\` there. Docker cannot see the checkout. For Docker, run \`npm pack\` there, copy the package here, and run \`npm install ./quire-content-….tgz\`.`
  return `Quire is installed from \`${source}\` (\`package.json\`).`
}

/** Copies the definitions of the demo magazine. They replace template files with the same names. */
async function useMagazine(folder: string): Promise<void> {
  for (const name of ['content-types', 'components'])
    await cp(join(packageRoot, 'schema', name), join(folder, 'schema', name), { recursive: true })
}

async function writeSettings(
  folder: string,
  profile: Profile,
  strapi: StrapiProject | undefined,
): Promise<void> {
  const file = join(folder, 'quire.config.json')
  const usual = JSON.parse(await readFile(file, 'utf8')) as object
  await writeJson(file, { profile, ...(strapi?.settings ?? usual) })
}

/** Writes `.env`, which only this OS user can read: a copy of `.env.example` with generated secrets and `others`. */
async function writeEnv(folder: string, others: StrapiProject['variables'] = {}): Promise<void> {
  const secret = () => randomBytes(33).toString('base64')
  const values: Readonly<Record<string, string>> = {
    ADMIN_PASSWORD: generatePassword(),
    JWT_SECRET: secret(),
    API_TOKEN_SALT: secret(),
    UPLOAD_SIGNING_KEY: secret(),
    ...others,
  }
  const example = await readFile(join(folder, '.env.example'), 'utf8')
  const start = example.replace(/^(?:#.*\n)+/, firstLines)
  const whole = Object.entries(values).reduce((text, [name, value]) => {
    const line = `${name}=${value}`
    const there = new RegExp(`^${name}=.*$`, 'm')
    return there.test(text) ? text.replace(there, () => line) : `${text}${line}\n`
  }, start)
  await writeFile(join(folder, '.env'), whole, { mode: 0o600 })
}

const firstLines = `# Settings and secrets of this project. Git ignores this file; .env.example is for other developers.
# Environment variables take precedence. The full list: docs/settings.md in node_modules/quire-content.
`

/** Admins need a password with a lower-case letter, an upper-case letter and a digit. */
function generatePassword(): string {
  const password = randomBytes(15).toString('base64url')
  return /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/.test(password) ? password : generatePassword()
}

/**
 * Returns the version specifier of Quire for `package.json`. Copies a `.tgz` into the project, so that the project does
 * not depend on files outside of it.
 */
async function bringSource(from: string, folder: string): Promise<string> {
  if (!from.endsWith('.tgz')) return from
  const path = resolve(from.replace(/^file:/, ''))
  await cp(path, join(folder, basename(path)))
  return `file:${basename(path)}`
}

const manifest = (name: string, source: string) => ({
  name,
  version: '0.0.0',
  private: true,
  type: 'module',
  scripts: { start: script('quire start'), dev: script('quire dev'), check: 'quire check' },
  dependencies: { 'quire-content': source },
})

/**
 * Returns a script for `package.json`. `exec` replaces the shell in which npm runs the script, because this shell does
 * not forward signals.
 */
const script = (command: string): string =>
  process.platform === 'win32' ? command : `exec ${command}`

const writeJson = (path: string, value: unknown) =>
  writeFile(path, `${JSON.stringify(value, null, 2)}\n`)

function nextSteps(
  folder: string,
  { install, omitOptional, magazine, empty }: InitOptions,
  strapi: StrapiProject | undefined,
): string {
  const place = relative('', folder)
  return [
    ...(strapi === undefined ? [] : [formatTaken(strapi)]),
    'Then:',
    ...(place === '' ? [] : [`  cd ${shellWord(place)}`]),
    ...(install ? [] : ['  npm install']),
    ...(omitOptional ? ['  (set MONGODB_URI in .env)'] : []),
    ...(strapi === undefined ? [] : importSteps(relative(folder, strapi.folder))),
    ...(empty ? ['  (README.md shows a first content-type)'] : []),
    '  npm start',
    ...(magazine ? ['  npx quire seed, while it runs'] : []),
    'The e-mail address and the password of the admin are in .env. README.md shows the first requests.',
  ].join('\n')
}

function formatTaken({ folder, definitions, settings }: StrapiProject): string {
  const types = definitions.filter(({ kind }) => kind === 'content-type').length
  const names = Object.keys(settings)
  return [
    `Copied ${countText(types, 'content-type')} and ${countText(definitions.length - types, 'component')} from ${folder}`,
    names.length === 0 ? '.' : `, and the settings ${names.join(', ')}.`,
    ` To see what is adapted and left out: npx quire check ${shellWord(folder)}`,
  ].join('')
}

/** Returns the commands that import the content of a Strapi project. `project` is relative to the new project. */
const importSteps = (project: string): readonly string[] => [
  `  (cd ${shellWord(project)} && npm run strapi export -- --no-encrypt --file export)`,
  `  npx quire import-strapi ${shellWord(join(project, 'export.tar.gz'))} --dry-run`,
  `  npx quire import-strapi ${shellWord(join(project, 'export.tar.gz'))}`,
]

/**
 * Returns where the running Quire comes from: a checkout or a packed file. Otherwise returns a range of compatible
 * versions.
 */
async function findOwnSource(): Promise<string> {
  if (isCheckout) return `file:${packageRoot}`
  const { name, version } = JSON.parse(
    await readFile(join(packageRoot, 'package.json'), 'utf8'),
  ) as { name: string; version: string }
  const modules = dirname(resolve(packageRoot))
  const resolved = await resolvedIn(modules, name)
  return resolved?.startsWith('file:') === true
    ? // The path is relative to the folder that contains `node_modules`.
      resolve(dirname(modules), resolved.slice('file:'.length))
    : `^${version}`
}

/** Returns where a package was installed from according to npm, or undefined. */
async function resolvedIn(modules: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(modules, '.package-lock.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { packages } = JSON.parse(text) as {
    packages?: Readonly<Record<string, Readonly<{ resolved?: string }>>>
  }
  return packages?.[`node_modules/${name}`]?.resolved
}

/**
 * Installs the packages of a project. Sends npm's output to standard error. Removes npm's variables from the
 * environment, because they describe another project. Throws if the installation fails.
 */
async function installPackages(folder: string): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(givenEnvironment()).filter(([name]) => !/^npm_(?!config_)|_prefix$/i.test(name)),
  )
  const child = spawn('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
    stdio: ['ignore', 2, 2],
    // On Windows, npm is a shell script.
    shell: process.platform === 'win32',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm install failed in ${folder}. Run it there again`)
}
