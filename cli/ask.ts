import { createInterface } from 'node:readline/promises'

/** Whether standard input is a terminal, so that a person can answer questions. */
export const hasTerminal = (): boolean => process.stdin.isTTY

/** Asks on standard error, which keeps standard output free for results, and returns the answer. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
