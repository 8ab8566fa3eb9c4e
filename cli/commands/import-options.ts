import type { QuireCommand } from '../quire-command.js'

/**
 * Adds the options that the imports from Strapi 3 and from Strapi 5 share.
 * @param origin noun for the source of the imported definitions, such as `the export`
 */
export const addImportOptions = (command: QuireCommand, origin: string): QuireCommand =>
  command
    .option('--dry-run', 'reports what would be imported, and changes nothing', false)
    .option(
      '--replace',
      'removes all existing content, files, users, roles and locales first',
      false,
    )
    .option(
      '--keep-definitions',
      `uses the definitions of this project where those of ${origin} differ`,
      false,
    )
    .option('--json', 'prints the report as JSON', false)
