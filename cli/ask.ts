import { createInterface } from 'node:readline/promises'

/** Whether there is somebody to ask. */
export const hasTerminal = (): boolean => process.stdin.isTTY

/** Asks a question on standard error, and returns the line that answers it. */
export async function ask(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await asking.question(question)).trim()
  } finally {
    asking.close()
  }
}
