import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const refuse = (): never => {
  throw new Error(
    'A test that starts a process or a database is not for test:fast: test/support/test-files.ts',
  )
}

/**
 * Makes starting a child process fail in `npm run test:fast`, whose tests must import no module that starts processes.
 */
export const mochaHooks = {
  beforeAll(): void {
    Object.assign(ChildProcess.prototype, { spawn: refuse })
    Object.assign(childProcess, { spawnSync: refuse, execSync: refuse, execFileSync: refuse })
    syncBuiltinESMExports()
  },
}
