import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { nearestName } from '../../engine/errors/nearest-name.js'
import { objectOf } from '../../engine/values/is-object.js'
import { noProject, readProjectSettings } from './project/read-project-settings.js'
import { isConfigurableVariable, type ConfigurableVariable } from './project/rule.js'
import { packageRoot } from './own-command.js'
import { readSettings, type Environment } from './read-settings.js'
import { readSecretFiles, secretFileVariables } from './secret-files.js'
import { variables, type Variable } from './variables.js'
import { providerProblems } from './check-providers.js'

/** Configuration from the environment and `quire.config.json` (docs/internals/decisions.md, "Settings"). */
export type Config = ReturnType<typeof loadConfig>

/** Thrown for an invalid configuration, with all problems. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(['The configuration is invalid:', ...problems].join('\n  - '))
    this.name = 'ConfigError'
  }
}

/**
 * Reads the configuration. Paths are relative to `folder`.
 * @throws ConfigError that lists all problems
 */
export function loadConfig(environment: Environment = process.env, folder: string = process.cwd()) {
  const problems: string[] = []
  const env = readSecretFiles(environment, folder, problems)
  const lacking: string[] = []
  const given = (name: Variable): string | undefined => env[name] || undefined
  const schemaDir = readSchemaDir(given('SCHEMA_DIR'), folder, problems)
  const { taken, unsupported, code } =
    schemaDir === undefined ? noProject : readProjectSettings(schemaDir, env)
  /** Returns the environment variable; if unset, the value from the project's configuration. */
  const either = (name: Variable & ConfigurableVariable): string | undefined => {
    const found = taken.get(name)
    return given(name) ?? (found && String(found.value))
  }
  const listening = { port: readPort(either('PORT'), problems), host: either('HOST') ?? '0.0.0.0' }
  const file = readFile(given('QUIRE_CONFIG'), folder, problems)
  const own = new Map(
    [...taken].flatMap(([name, { value }]) =>
      isConfigurableVariable(name) ? [] : [[name, value]],
    ),
  )
  const isWithoutBucket = readSettings(file, env, [], own)['upload.s3.bucket'] === ''
  // If the Strapi project's configuration uses S3 without a bucket, start without S3 instead of failing.
  if (isWithoutBucket && own.delete('upload.provider'))
    lacking.push('The project keeps files in S3, but no bucket is configured: set upload.s3.bucket')
  const settings = readSettings(file, env, problems, own)
  const inUse: Readonly<Record<string, unknown>> = {
    ...settings,
    HOST: listening.host,
    PORT: listening.port,
  }
  const mongodbUri = readUri(given('MONGODB_URI'), problems)
  const s3 = bothOf(
    [either('UPLOAD_S3_ACCESS_KEY_ID'), either('UPLOAD_S3_SECRET_ACCESS_KEY')],
    'UPLOAD_S3_ACCESS_KEY_ID and UPLOAD_S3_SECRET_ACCESS_KEY',
    problems,
  )
  const admin = bothOf(
    [given('ADMIN_EMAIL'), given('ADMIN_PASSWORD')],
    'ADMIN_EMAIL and ADMIN_PASSWORD',
    problems,
  )
  const config = Object.freeze({
    ...listening,
    /** Folder of the embedded database and uploaded files. */
    dataDir: resolve(folder, given('DATA_DIR') ?? '.data'),
    /** Folder of `quire config`, which need not exist. */
    configDir: resolve(folder, given('CONFIG_DIR') ?? 'config'),
    settings,
    /** Configuration of a Strapi project in `schemaDir`. */
    project: {
      /** Settings whose value in use comes from the project, each with the file that contains it. */
      taken: [...taken].flatMap(([name, { value, file }]) =>
        isDeepStrictEqual(inUse[name], value) ? [{ name, file, value }] : [],
      ),
      /** Unsupported parts of the project's configuration: a sentence per file, without values. */
      untaken: [...unsupported, ...lacking],
      code,
    },
    /** Name and version from the folder's `package.json`; absent if unknown. */
    package: readPackage(folder),
    production: env.NODE_ENV === 'production',
    /** Undefined for the embedded database. */
    mongodbUri,
    /** Undefined if there are no content-type files. */
    schemaDir,
    /** Previous secrets whose tokens are still accepted. */
    formerJwtSecrets: listOf(given('JWT_SECRET_FORMER')),
    // If one of these secrets is missing, it is generated once and stored in the database.
    jwtSecret: given('JWT_SECRET'),
    apiTokenSalt: given('API_TOKEN_SALT'),
    uploadSigningKey: given('UPLOAD_SIGNING_KEY'),
    /** If undefined, AWS's SDK looks for credentials itself. */
    s3Credentials: s3 && { accessKeyId: s3[0], secretAccessKey: s3[1] },
    /** Created if there is no admin yet. */
    admin: admin && { email: admin[0], password: admin[1] },
  })
  if (admin !== undefined && !/^[^\s@]+@[^\s@]+$/.test(admin[0]))
    problems.push('ADMIN_EMAIL must be an e-mail address')
  if (settings['email.url'] !== '' && settings['email.from'] === '')
    problems.push('email.from is required when email.url is set')
  if (mongodbUri !== undefined && settings['database.mongod'] !== '')
    problems.push('database.mongod and MONGODB_URI are both set; set only one of them')
  if (settings['upload.provider'] === 's3' && settings['upload.s3.bucket'] === '')
    problems.push('upload.s3.bucket is required when upload.provider is s3')
  if (settings['http.cache.purgeUrl'] !== '' && settings['http.cache.purgeSecret'] === '')
    problems.push('http.cache.purgeSecret is required when http.cache.purgeUrl is set')
  problems.push(
    ...providerProblems(settings),
    ...misspelt(env),
    ...(config.production ? shortSecrets(config) : []),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const listOf = (text: string | undefined): readonly string[] =>
  Object.freeze((text ?? '').split(',').filter((member) => member !== ''))

function readPort(text: string | undefined, problems: string[]): number {
  if (text === undefined) return 1337
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  problems.push(`PORT must be an integer from 0 to 65535, not "${text}"`)
  return 0
}

// The URI may contain a password, so the message does not repeat it.
function readUri(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined || /^mongodb(\+srv)?:\/\/./.test(text)) return text
  problems.push('MONGODB_URI must begin with mongodb:// or mongodb+srv://')
  return undefined
}

function readSchemaDir(
  text: string | undefined,
  folder: string,
  problems: string[],
): string | undefined {
  const path = resolve(folder, text ?? 'schema')
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path
  if (text !== undefined) problems.push(`SCHEMA_DIR must be a folder, but there is none at ${path}`)
  return undefined
}

/** Returns two values that must be set together; undefined if neither is set. */
function bothOf(
  [first, second]: readonly [string | undefined, string | undefined],
  names: string,
  problems: string[],
): readonly [string, string] | undefined {
  if (first !== undefined && second !== undefined) return [first, second]
  if (first !== second) problems.push(`${names} must be set together`)
  return undefined
}

function readFile(name: string | undefined, folder: string, problems: string[]): unknown {
  const path = resolve(folder, name ?? 'quire.config.json')
  if (name === undefined && !existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown
  } catch (error) {
    problems.push(`${path} cannot be read: ${(error as Error).message}`)
    return {}
  }
}

/** Reads name and version from a folder's `package.json`, except Quire's own, which does not describe the project. */
function readPackage(folder: string): Readonly<{ name?: string; version?: string }> {
  if (resolve(folder) === resolve(packageRoot)) return {}
  try {
    const { name, version } = objectOf(
      JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')),
    )
    return Object.fromEntries(
      Object.entries({ name, version }).filter(
        ([, value]) => typeof value === 'string' && value !== '',
      ),
    )
  } catch {
    // npm reports an invalid `package.json` itself.
    return {}
  }
}

const minSecretBytes = 32

/** Returns a problem for each secret that is so short that it can be guessed from data signed with it. */
function shortSecrets({ jwtSecret, apiTokenSalt, uploadSigningKey }: Config): string[] {
  return Object.entries({
    JWT_SECRET: jwtSecret,
    API_TOKEN_SALT: apiTokenSalt,
    UPLOAD_SIGNING_KEY: uploadSigningKey,
  })
    .filter(([, secret]) => secret !== undefined && Buffer.byteLength(secret) < minSecretBytes)
    .map(([name]) => {
      const rule = `${name} must have at least ${minSecretBytes} bytes in production`
      return `${rule}. To generate one: openssl rand -base64 33`
    })
}

/** Finds misspelt variables. `MONGODB_URL`, for example, would silently start an embedded database. */
function misspelt(env: Environment): string[] {
  const names = Object.keys(variables)
  return Object.keys(env).flatMap((name) => {
    const near = nearestName(name, name.endsWith('_FILE') ? secretFileVariables : names)
    // Similar short names, such as PORT, often belong to other programs.
    if (near === undefined || near.length < 8 || env[near] !== undefined) return []
    return [`Unknown variable ${name}. Did you mean ${near}?`]
  })
}
