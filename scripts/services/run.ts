import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** No service takes longer to get, in milliseconds. */
const timeout = 600_000

/** Runs a program to its end; answers what it printed. Throws the last line of what it complained of. */
export async function run(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const env = { ...process.env, ...environment }
    const { stdout } = await execute(program, parameters, { timeout, env, maxBuffer: 2 ** 24 })
    return stdout
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(stderr.trim().split('\n').at(-1) || message, { cause: error })
  }
}
