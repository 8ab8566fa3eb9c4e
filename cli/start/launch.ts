import { join } from 'node:path'
import { packageRoot } from '../../server/settings/own-command.js'

/** How the service's process is started; `npm start` and the image do it in the same way. */
export const launch = {
  /** For glibc's malloc, which reads it before anything runs: fewer arenas, and large blocks given back. */
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' },
  /** Node's: keeps the young generation at 16 MB. A larger one takes more memory and answers no more requests. */
  nodeOptions: ['--max-semi-space-size=16'],
  program: join(packageRoot, 'dist/server/main.js'),
} as const
