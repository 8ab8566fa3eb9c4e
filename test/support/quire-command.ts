import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Path of the compiled command `quire`. */
export const quireCommand = fileURLToPath(new URL('../../cli/quire.js', import.meta.url))

export type Ran = Readonly<{ code: number | null; stdout: string; stderr: string }>

/** Runs `quire` and waits until it exits. Its environment only contains `env`, `PATH` and `XDG_STATE_HOME`. */
export function runQuire(
  args: readonly string[],
  { cwd, env = {} }: Readonly<{ cwd?: string; env?: Readonly<Record<string, string>> }> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const { PATH, XDG_STATE_HOME } = process.env
    const options = { cwd, env: { PATH, XDG_STATE_HOME, ...env } }
    const child = execFile(
      process.execPath,
      [quireCommand, ...args],
      options,
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
