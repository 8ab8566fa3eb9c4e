import type { Command } from 'commander'

/** Lines as one types them after `quire`, each with what it does. */
type Examples = Readonly<Record<string, string>>

const examples = new WeakMap<Command, Examples>()

/** Shows examples below the help of a command, and in `docs/commands.md`. */
export function addExamples(command: Command, lines: Examples): void {
  examples.set(command, lines)
  const width = Math.max(...Object.keys(lines).map((line) => line.length))
  const shown = Object.entries(lines).map(
    ([line, meaning]) => `  $ quire ${line.padEnd(width)}  ${meaning}`,
  )
  command.addHelpText('after', ['', 'Examples:', ...shown].join('\n'))
}

export const examplesOf = (command: Command): Examples => examples.get(command) ?? {}
