import { join } from 'node:path'
import type { Logger } from 'pino'
import { loadConfig } from '../../server/settings/config.js'
import { packageRoot } from '../../server/settings/own-command.js'
import type { Environment } from '../../server/settings/read-settings.js'
import { startQuire } from '../../server/lifecycle/start.js'
import { createLog } from '../../server/logging/create-log.js'
import { seedDemo } from '../../cli/seed/seed-demo.js'
import { openDemoAdmin } from './demo-admin.js'

/** A running demo. */
export type Demo = Readonly<Awaited<ReturnType<typeof startDemo>>>

export type DemoOptions = Readonly<{
  /** The variables of the service: `PORT`, `HOST`, `DATA_DIR`, `ADMIN_EMAIL`, `ADMIN_PASSWORD` and settings. */
  env: Environment
  log?: Logger
  /** Called before the content is loaded. Loading takes a while. */
  onSeed?: () => void
  /** Stops the demo. If the demo is still starting, `startDemo` throws. */
  signal?: AbortSignal
}>

const draft = {
  name: 'Demo',
  description: 'Created again at every start of npm run demo',
  type: 'full-access',
  permissions: [],
  lifespan: null,
} as const

/** Requests to try without a token. */
const paths = {
  'A list: the latest articles': 'articles?fields=title,summary,publishedOn&sort=publishedOn:desc',
  'One document, with components': 'homepage?populate=hero.picture,seo',
  'The same, three levels deep: its articles with their authors and pictures':
    'homepage?populate=hero,sections,featured.author.avatar,featured.category.parent,featured.tags',
}

/**
 * Starts the service with the demo's content-types on an embedded database (`.data/demo`), or on `MONGODB_URI` if it
 * names a demo database. Loads the demo content if the database is empty.
 */
export async function startDemo(options: DemoOptions) {
  const { env, log = createLog('warn', 'text'), onSeed, signal } = options
  const config = loadConfig({
    DATA_DIR: '.data/demo',
    SCHEMA_ON_OLDER: 'adopt',
    ...env,
    SCHEMA_DIR: join(packageRoot, 'schema'),
  })
  checkDatabase(config.mongodbUri)
  const { dataDir } = config
  const admin = await openDemoAdmin(dataDir, config.admin)
  let isLoading = true
  const loading = () => (isLoading ? 'The demo content is being loaded' : undefined)
  const quire = await startQuire({ ...config, admin }, { log, loading })
  signal?.addEventListener('abort', () => void quire.stop())
  try {
    signal?.throwIfAborted()
    // `seedDemo` grants this action last, so if it is granted, all content was loaded. Content that was deleted since
    // then is not restored.
    if (!(await quire.access.publicActions()).includes('api::homepage.homepage.find')) {
      onSeed?.()
      await seedDemo({ base: quire.url, admin })
    }
    isLoading = false
    const { tokens } = quire.access
    // Replace the token that an earlier run created, because its key is no longer known.
    for (const { id, name } of await tokens.list()) if (name === draft.name) await tokens.remove(id)
    const { accessKey: token } = await tokens.create(draft, null)
    signal?.throwIfAborted()
    const links = Object.entries(paths).map(([title, path]) => {
      return { title, url: `${quire.url}/api/${path}` }
    })
    return { url: quire.url, admin, token, links, dataDir, stop: quire.stop }
  } catch (error) {
    await quire.stop()
    throw error
  }
}

/** Throws if `MONGODB_URI` does not name a demo database, because it may be set for another purpose. */
function checkDatabase(uri: string | undefined): void {
  if (uri === undefined || /^[^/]+\/\/[^/]+\/[^?]*demo(\?|$)/.test(uri)) return
  throw new Error(
    'MONGODB_URI is set. The demo writes only into a database whose name ends in "demo", ' +
      'such as mongodb://localhost/quire_demo. Unset MONGODB_URI to use the embedded database',
  )
}
