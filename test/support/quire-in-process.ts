import { setFlagsFromString } from 'node:v8'
import { runCommand } from '../../cli/run-command.js'
import type { Ran } from './quire-command.js'

/**
 * Runs `quire` in this process. This is faster than `runQuire`, but only one command can run at a time, because it
 * replaces the environment and the output of the process.
 */
export async function runQuireInProcess(
  args: readonly string[],
  { cwd, env = {} }: Readonly<{ cwd?: string; env?: Readonly<Record<string, string>> }> = {},
): Promise<Ran> {
  if (isRunning) throw new Error('Another command runs in this process')
  isRunning = true
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode }
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  const stdin = replace(process.stdin, 'isTTY', false)
  try {
    const { PATH, QUIRE_FOLDER_WAIT_MS, XDG_STATE_HOME } = before.env
    process.env = { PATH, QUIRE_FOLDER_WAIT_MS, XDG_STATE_HOME, ...env }
    if (cwd !== undefined) process.chdir(cwd)
    process.exitCode = undefined
    await runCommand(args)
    const code = Number(process.exitCode ?? 0)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    for (const { restore } of [stdout, stderr, stdin]) restore()
    process.env = before.env
    process.chdir(before.cwd)
    process.exitCode = before.exitCode
    // Some commands make V8 collect garbage earlier (`cli/collect-often.ts`). 0 is the default.
    setFlagsFromString('--heap-growing-percent=0')
    isRunning = false
  }
}

let isRunning = false

type Captured = Readonly<{ text: () => string; restore: () => void }>

/** Captures what is written to a stream. Until `restore` is called, the stream does not look like a terminal. */
function capture(stream: NodeJS.WriteStream): Captured {
  const chunks: Buffer[] = []
  const write = (chunk: Uint8Array | string, ...more: readonly unknown[]): boolean => {
    chunks.push(Buffer.from(chunk))
    const done = more.find((one): one is () => void => typeof one === 'function')
    if (done !== undefined) process.nextTick(done)
    return true
  }
  const replaced = [replace(stream, 'write', write), replace(stream, 'isTTY', false)]
  return {
    text: () => Buffer.concat(chunks).toString(),
    restore: () => replaced.forEach(({ restore }) => restore()),
  }
}

function replace(object: object, name: string, value: unknown): Readonly<{ restore: () => void }> {
  const before = Object.getOwnPropertyDescriptor(object, name)
  Object.defineProperty(object, name, { value, configurable: true, writable: true })
  return {
    restore: () => {
      if (before === undefined) Reflect.deleteProperty(object, name)
      else Object.defineProperty(object, name, before)
    },
  }
}
