import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ServiceProcess = Readonly<{
  pid: number
  /** Resolves to the URL of the service when it listens. Rejects if the process ends before. */
  url: Promise<string>
  /** Resolves to the exit code and all output when the process has ended. */
  ended: Promise<Readonly<{ code: number | null; stdout: string; stderr: string }>>
  kill: (signal: NodeJS.Signals) => void
}>

const main = fileURLToPath(new URL('../../server/main.js', import.meta.url))

/**
 * Starts the service in a new process, as `npm start` does. Its environment contains only `env` and a few defaults.
 * `maxOpenFiles` limits its open files.
 */
export function runService(
  env: Readonly<Record<string, string>>,
  folder: string,
  nodeOptions: readonly string[] = [],
  maxOpenFiles?: number,
): ServiceProcess {
  const limit = maxOpenFiles === undefined ? '' : `ulimit -n ${maxOpenFiles};`
  const command = [process.execPath, ...nodeOptions, main]
  const child = spawn('sh', ['-c', `${limit} exec "$0" "$@"`, ...command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout: stdout.text,
    stderr: stderr.text,
  }))
  const url = readUrl(child, stdout, ended)
  // Prevents an unhandled rejection if the caller only awaits `ended`.
  url.catch(() => undefined)
  return { pid: child.pid ?? 0, url, ended, kill: (signal) => void child.kill(signal) }
}

type Collected = { text: string }

function collect(stream: ChildProcess['stdout']): Collected {
  const collected = { text: '' }
  stream?.setEncoding('utf8').on('data', (chunk: string) => (collected.text += chunk))
  return collected
}

function readUrl(
  child: ChildProcess,
  stdout: Collected,
  ended: Promise<Readonly<{ stderr: string }>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const ready = /"Quire is ready at ([^"]+)"/.exec(stdout.text)?.[1]
      if (ready === undefined) return
      child.stdout?.off('data', look)
      resolve(ready)
    }
    child.stdout?.on('data', look)
    void ended.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)))
  })
}
