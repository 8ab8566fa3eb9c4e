import { join } from 'node:path'
import { createToken, ensureLocales, logInAdmin } from '../../cli/seed/access.js'
import { createApiClient } from '../../cli/seed/api-client.js'
import { launch } from '../../cli/start/launch.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { schemaDir, secondLocale, type Ids } from './data/content.js'
import { loadContent } from './data/load-content.js'
import { startServer, type ServerOptions } from '../start-server.js'

/** The ids of the loaded content, and a full-access API token. */
export type Loaded = Readonly<{ token: string; ids: Ids }>

/** A Quire service from this checkout or another one. */
export type Service = Readonly<{
  name: string
  environment: Readonly<Record<string, string>>
  checkout?: string | undefined
  /** Folder for the CPU profile. */
  profile?: string | undefined
}>

export const admin = { email: 'bench@quire.example', password: 'Bench-for-a-minute-1' }

/** With the same secrets, an API token is valid for every copy of the database. */
const commonEnvironment = {
  ...launch.environment,
  HOST: '127.0.0.1',
  SCHEMA_DIR: schemaDir,
  JWT_SECRET: 'the secret of the benchmark, long enough',
  API_TOKEN_SALT: 'the salt of the benchmark, long enough',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  // `DATABASE_EXCLUSIVE=false npm run bench` measures without exclusive use of the database.
  DATABASE_EXCLUSIVE: process.env['DATABASE_EXCLUSIVE'] ?? 'true',
}

/** Returns options that start a service as `npm start` does. By default, it has exclusive use of its database. */
export function serviceOptions(
  { name, environment, checkout = packageRoot, profile }: Service,
  folder: string,
  token?: string,
): ServerOptions {
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  return {
    name,
    folder: join(folder, 'servers'),
    command: [...launch.nodeOptions, ...profiling, join(checkout, 'dist/server/main.js')],
    environment: { ...commonEnvironment, DATA_DIR: join(folder, 'quire'), ...environment },
    firstPath: token === undefined ? '/_ready' : '/api/articles',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  }
}

/** Loads `size` articles into an empty database through a temporary service. */
export async function loadThroughService(
  environment: Service['environment'],
  folder: string,
  size: number,
  checkout?: string,
): Promise<Loaded> {
  const server = await startServer(
    serviceOptions({ name: 'loader', environment, checkout }, folder),
  )
  try {
    const management = await logInAdmin(server.url, admin)
    await ensureLocales(management, { [secondLocale]: 'German (de)' })
    const { accessKey: token } = await createToken(management, 'benchmark', '')
    return { token, ids: await loadContent(createApiClient(server.url, token), size) }
  } finally {
    await server.stop()
  }
}
