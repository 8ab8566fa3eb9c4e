import { createRequire } from 'node:module'
import path from 'node:path'
import { isCheckout, packageRoot } from '../../server/settings/own-command.js'
import { givenEnvironment } from '../environment.js'
import { launch } from './launch.js'
import { runChildren } from './run-children.js'

const { resolve } = createRequire(import.meta.url)

/** A change in these files and folders restarts the service. */
const inputs = (): readonly string[] => [
  process.env.SCHEMA_DIR || 'schema',
  process.env.QUIRE_CONFIG || 'quire.config.json',
  '.env',
]

/** Runs `quire dev` until a signal ends it. In the checkout of Quire, also compiles, and watches the compiled files. */
export async function develop(): Promise<void> {
  const env = {
    ...givenEnvironment(),
    LOG_FORMAT: process.env.LOG_FORMAT ?? 'text',
    // A developer who restores an earlier version of a definition file does so on purpose.
    SCHEMA_ON_OLDER: process.env.SCHEMA_ON_OLDER ?? 'adopt',
  }
  // Only compile in the checkout of Quire itself, not in a project that is linked to it.
  const compiles = isCheckout && path.resolve() === path.resolve(packageRoot)
  const compiled = ['engine', 'server', 'workers'].map((name) =>
    path.join(packageRoot, 'dist', name),
  )
  const watched = compiles ? [...compiled, ...inputs()] : inputs()
  const restarting = [
    resolve('nodemon/bin/nodemon.js'),
    ...watched.flatMap((file) => ['--watch', file]),
    '--ignore',
    process.env.DATA_DIR || '.data',
    '--ext',
    'js,ts,json,env',
    '--delay',
    '300ms',
    '--signal',
    'SIGTERM',
    launch.program,
  ]
  const compiling = () => [
    resolve('typescript/bin/tsc'),
    '--project',
    packageRoot,
    '--watch',
    '--preserveWatchOutput',
  ]
  await runChildren([restarting, ...(compiles ? [compiling()] : [])].map((args) => ({ args, env })))
}
