/** `npm run dev`: compiles on every change, and restarts the service on every compilation. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const { resolve } = createRequire(import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** The service reads these at its start; where the environment names others, those. */
const inputs = [
  process.env['SCHEMA_DIR'] || 'schema',
  process.env['QUIRE_CONFIG'] || 'quire.config.json',
]
const watched = ['dist/engine', 'dist/server', 'dist/workers', ...inputs]

const children: readonly ChildProcess[] = [
  run(resolve('typescript/bin/tsc'), ['--watch', '--preserveWatchOutput']),
  run(resolve('nodemon/bin/nodemon.js'), [
    ...watched.flatMap((folder) => ['--watch', folder]),
    ...['--ext', 'js,json', '--delay', '300ms', '--signal', 'SIGTERM'],
    'dist/server/main.js',
  ]),
]

// Ctrl-C reaches the children too, as they share the terminal; a SIGTERM does not.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => children.forEach((child) => child.kill(signal)))
}

function run(file: string, args: readonly string[]): ChildProcess {
  // Whoever edits a file back to what it was means it.
  const env = { SCHEMA_ON_OLDER: 'adopt', ...process.env }
  return spawn(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit', env })
}
