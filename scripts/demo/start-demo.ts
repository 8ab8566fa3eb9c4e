import { fileURLToPath } from 'node:url'
import { pino, type Logger } from 'pino'
import { loadConfig } from '../../server/config.js'
import type { Environment } from '../../server/read-settings.js'
import { startQuire } from '../../server/start.js'
import type { AdminLogin } from '../seed/access.js'
import { seedDemo } from '../seed/seed-demo.js'
import { demoLinks, type DemoLink } from './demo-links.js'
import { openDemoState, saveDemoState } from './demo-state.js'

/** A demo that is running. */
export type Demo = Readonly<{
  url: string
  admin: AdminLogin
  links: readonly DemoLink[]
  dataDir: string
  stop: () => Promise<void>
}>

export type DemoOptions = Readonly<{
  /** `PORT`, `HOST`, `DATA_DIR`, `ADMIN_EMAIL`, `ADMIN_PASSWORD` and settings, as for the service. */
  env: Environment
  log?: Logger
  /** Told before the content is loaded, which takes a while. */
  onSeed?: () => void
  pictureWidth?: number
  /** Stops the demo when it is aborted, also while it is starting: `startDemo` then throws. */
  signal?: AbortSignal
}>

const schemaDir = fileURLToPath(new URL('../../../schema', import.meta.url))

/**
 * Starts the service with the demo's content-types over an embedded database of its own (`.data/demo`), and
 * fills it on the first start.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { env, log, onSeed, pictureWidth, signal } = options
  // A demo never writes into a database that is somebody's.
  const own = { DATA_DIR: '.data/demo', ...env, SCHEMA_DIR: schemaDir, MONGODB_URI: undefined }
  const config = loadConfig(own)
  const { dataDir } = config
  const state = await openDemoState(dataDir, config.admin)
  const { admin } = state
  const quire = await startQuire({ ...config, admin }, { log: log ?? pino({ level: 'warn' }) })
  signal?.addEventListener('abort', () => void quire.stop())
  try {
    signal?.throwIfAborted()
    if (!state.seeded) {
      onSeed?.()
      const width = pictureWidth === undefined ? {} : { pictureWidth }
      await seedDemo({ base: quire.url, admin, ...width })
      await saveDemoState(dataDir, { ...state, seeded: true })
    }
    const links = await demoLinks(quire.url)
    return { url: quire.url, admin, links, dataDir, stop: quire.stop }
  } catch (error) {
    await quire.stop()
    throw error
  }
}
