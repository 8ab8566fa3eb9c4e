import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { givenEnvironment } from '../environment.js'

/**
 * Runs npm in a folder, its words on standard error. Throws where it fails.
 *
 * What the npm that may have started this process says of its own project is kept from it.
 */
export async function runNpm(args: readonly string[], folder: string): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(givenEnvironment()).filter(([name]) => !/^npm_(?!config_)|_prefix$/i.test(name)),
  )
  const child = spawn('npm', args, {
    cwd: folder,
    env,
    stdio: ['ignore', 2, 2],
    // There it is a script of the shell.
    shell: process.platform === 'win32',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ${args[0]} failed in ${folder}; run it there again`)
}
