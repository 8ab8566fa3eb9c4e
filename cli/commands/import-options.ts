import type { QuireCommand } from '../quire-command.js'

/** @param origin noun for the source of the imported definitions, such as `the export` */
export const addImportOptions = (command: QuireCommand, origin: string): QuireCommand =>
  command
    .option('--dry-run', 'says what would be imported, and changes nothing', false)
    .option(
      '--replace',
      'takes away all content, files, users, roles and locales that are there before',
      false,
    )
    .option(
      '--keep-definitions',
      `imports by the definitions that are here, where those of ${origin} differ`,
      false,
    )
    .option('--json', 'the report as JSON', false)
