import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'

/** A Node program to run in this terminal, with the environment to run it in. */
type Program = Readonly<{
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}>

const stopWithParent = new URL('./stop-with-parent.js', import.meta.url).href

/**
 * Runs programs until they end. They also stop if this process is killed, because their IPC channel closes. The exit
 * code is that of the first program that failed, or 128 plus the number of the signal that ended it, as in a shell.
 * @param handed additional signals to forward to the programs
 */
export async function runChildren(
  programs: readonly Program[],
  handed: readonly NodeJS.Signals[] = [],
): Promise<void> {
  const children = programs.map(({ args, env }) =>
    spawn(process.execPath, [`--import=${stopWithParent}`, ...args], {
      env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    }),
  )
  // The terminal sends Ctrl-C to the children anyway, but SIGTERM only reaches this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', ...handed] as const)
    process.on(signal, () => children.forEach((child) => child.kill(signal)))
  const codes = await Promise.all(children.map(exitCodeOf))
  process.exitCode = codes.find((code) => code !== 0) ?? 0
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
