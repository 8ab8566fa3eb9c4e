import type { QuireCommand } from '../quire-command.js'

/** Adds the options that select parts of a backup. */
export const addSelectionOptions = (command: QuireCommand): QuireCommand =>
  command
    .option(
      '--only <names>',
      'parts and uids of content-types to include, comma-separated',
      listOption,
      [],
    )
    .option(
      '--exclude <names>',
      'parts and uids of content-types to leave out, comma-separated',
      listOption,
      [],
    )

/** Parses a repeatable option whose value is a comma-separated list of names. */
function listOption(value: string, before: readonly string[]): readonly string[] {
  return [...before, ...value.split(',').map((name) => name.trim())]
}
