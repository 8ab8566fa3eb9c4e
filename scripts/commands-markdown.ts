import type { Command } from 'commander'
import { createProgram } from '../cli/program.js'
import { QuireCommand } from '../cli/quire-command.js'
import { markdownTable } from './settings-markdown.js'

/** Every command with its options and examples, as docs/commands.md shows them. */
export function commandsMarkdown(): string {
  return createProgram()
    .commands.map((command) => sectionOf(command, 'quire'))
    .join('\n')
}

function sectionOf(command: Command, parent: string): string {
  const name = `${parent} ${command.name()}`
  const parts = command.commands.map((part) => sectionOf(part, name))
  const heading = `${parts.length === 0 && parent !== 'quire' ? '###' : '##'} ${name}`
  return [heading, command.description(), optionsOf(command), shownExamples(command), ...parts]
    .filter((text) => text !== '')
    .join('\n\n')
    .concat('\n')
}

function optionsOf(command: Command): string {
  const rows = [
    ...command.registeredArguments.map((argument) => [
      `\`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\``,
      argument.description,
    ]),
    ...command.options.map(({ flags, description, argChoices, envVar }) => [
      `\`${flags}\``,
      [
        description,
        ...(argChoices === undefined ? [] : [argChoices.map((one) => `\`${one}\``).join(', ')]),
        ...(envVar === undefined ? [] : [`or the variable \`${envVar}\``]),
      ].join('; '),
    ]),
  ]
  return rows.length === 0 ? '' : markdownTable(['Option', 'Is'], rows).trimEnd()
}

function shownExamples(command: Command): string {
  const lines = Object.entries(command instanceof QuireCommand ? command.examples : {})
  if (lines.length === 0) return ''
  const width = Math.max(...lines.map(([line]) => line.length))
  const shown = lines.map(([line, meaning]) => `quire ${line.padEnd(width)}  # ${meaning}`)
  return ['```', ...shown, '```'].join('\n')
}
