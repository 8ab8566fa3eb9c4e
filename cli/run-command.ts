import { CommanderError, type Command } from 'commander'
import { ApiError } from '../engine/errors.js'
import { DatabaseInUse } from '../server/database/database-in-use.js'
import { fileErrorReason, pathOf } from '../server/project/file-error.js'
import { loadEnvFile } from './environment.js'
import { createProgram } from './program.js'
import { clearProgress } from './progress.js'

/** Runs a command, and sets the exit code of this process. `args` is for example `['export', 'monday.tar.gz']`. */
export async function runCommand(args: readonly string[]): Promise<void> {
  let running: Command | undefined
  try {
    loadEnvFile()
    const program = createProgram()
    program.hook('preAction', (_, command) => void (running = command))
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    clearProgress()
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      console.error(explain(error, running))
      process.exitCode = 1
    }
  }
}

function explain(error: unknown, running: Command | undefined): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof DatabaseInUse) return `${error.message}${adviceOf(running)}`
  const reason = fileErrorReason(error)
  if (reason !== undefined) return `${pathOf(error)}: ${reason}`
  const { message, cause } = error
  // The message of an S3 error is only its name. The message of an error of `fetch` may be only `terminated`, if the
  // connection was cut off.
  const isShort = error instanceof TypeError || error instanceof ApiError
  return isShort && cause instanceof Error ? `${message}: ${cause.message}` : message
}

/** Returns the advice to use a running service, if the command has the option `--url`. */
function adviceOf(command: Command | undefined): string {
  const hasUrlOption = command?.options.some(({ long }) => long === '--url') === true
  return hasUrlOption ? ' Or use the service that has it: --url http://localhost:1337.' : ''
}
