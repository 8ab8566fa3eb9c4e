import { join } from 'node:path'
import { packageRoot } from '../../server/settings/own-command.js'

/** How to start the service. `npm start` and the Docker image do the same. */
export const launch = {
  /** Variables for glibc's malloc: fewer arenas, and large blocks are returned to the system. */
  environment: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' },
  /** Keeps the young generation at 16 MB. A larger one uses more memory without serving more requests. */
  nodeOptions: ['--max-semi-space-size=16'],
  program: join(packageRoot, 'dist/server/main.js'),
} as const
