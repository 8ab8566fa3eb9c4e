import { join } from 'node:path'
import { packageRoot } from '../../server/settings/own-command.js'

/** How the service's process is started; `npm start` and the image do it in the same way. */
export const launch = {
  /** For glibc's malloc, which reads it before anything runs: fewer arenas, and large blocks given back. */
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' },
  /** Node's: garbage is collected when the heap has doubled, where V8 waits until it is up to four times as large. */
  nodeOptions: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
  program: join(packageRoot, 'dist/server/main.js'),
} as const
