import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isCheckout, packageRoot } from '../../server/settings/own-command.js'
import { givenEnvironment } from '../environment.js'
import { launch } from './launch.js'
import { runChildren } from './run-children.js'

const { resolve } = createRequire(import.meta.url)

/** The service reads these at its start; where the environment names others, those. */
const inputs = (): readonly string[] => [
  process.env.SCHEMA_DIR || 'schema',
  process.env.QUIRE_CONFIG || 'quire.config.json',
  '.env',
]

/** What `quire dev` does, until a signal ends it. */
export async function develop(): Promise<void> {
  // Whoever edits a file back to what it was means it.
  const env = { ...givenEnvironment(), SCHEMA_ON_OLDER: process.env.SCHEMA_ON_OLDER ?? 'adopt' }
  const compiled = ['engine', 'server', 'workers'].map((name) => join(packageRoot, 'dist', name))
  const watched = isCheckout ? [...compiled, ...inputs()] : inputs()
  const restarting = [
    resolve('nodemon/bin/nodemon.js'),
    ...watched.flatMap((path) => ['--watch', path]),
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
  await runChildren(
    [restarting, ...(isCheckout ? [compiling()] : [])].map((args) => ({ args, env })),
  )
}
