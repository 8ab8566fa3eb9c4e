import type { Command } from 'commander'
import { createProgram } from '../cli/program.js'

/** Returns the help of all commands, as docs/commands.md shows it. */
export function commandsMarkdown(): string {
  const { commands } = createProgram()
  return commands.map((command) => sectionOf(command, '## quire')).join('\n')
}

function sectionOf(command: Command, parent: string): string {
  const heading = `${parent} ${command.name()}`
  let help = ''
  const writeOut = (text: string): void => void (help += text)
  command.configureOutput({ writeOut, getOutHelpWidth: () => 100 }).outputHelp()
  const parts = command.commands.map((part) => sectionOf(part, `#${heading}`))
  return [heading, '```', help.trimEnd(), '```', ...parts].join('\n')
}
