import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'

/** A program of Node's to run in the terminal of this one, with an environment of its own. */
type Program = Readonly<{
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}>

const stopWithParent = new URL('./stop-with-parent.js', import.meta.url).href

/**
 * Runs programs until they end. They stop when this process is killed: the end of their IPC channel tells them. Ends as the
 * first of them did that went wrong: its exit code, or 128 and the number of its signal as a shell has it.
 * @param handed signals that are handed on besides those that end a process
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
  // Ctrl-C reaches the children too, as they share the terminal; a SIGTERM does not. They end, and then this does.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', ...handed] as const)
    process.on(signal, () => children.forEach((child) => child.kill(signal)))
  const codes = await Promise.all(children.map(exitCodeOf))
  process.exitCode = codes.find((code) => code !== 0) ?? 0
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
