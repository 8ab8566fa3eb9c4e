import { createInterface } from 'node:readline/promises'

/** Whether a person can answer questions, because standard input is a terminal. */
export const hasTerminal = (): boolean => process.stdin.isTTY

/** Asks a question on standard error, and returns the answer. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
