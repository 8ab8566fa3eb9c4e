import { addCheck } from './commands/check.js'
import { addConfig } from './commands/config.js'
import { addDatabase } from './commands/database.js'
import { addExport } from './commands/export.js'
import { addImport } from './commands/import.js'
import { addDev } from './commands/dev.js'
import { addImportStrapi } from './commands/import-strapi.js'
import { addImportStrapiV3 } from './commands/import-strapi-v3.js'
import { addDoctor } from './commands/doctor.js'
import { addEntries } from './commands/entries.js'
import { addInit } from './commands/init.js'
import { addMedia } from './commands/media.js'
import { addRepair } from './commands/repair.js'
import { addSchema } from './commands/schema.js'
import { addSeed } from './commands/seed.js'
import { addStart } from './commands/start.js'
import { addTypes } from './commands/types.js'
import { QuireCommand } from './quire-command.js'
import { ownVersion } from '../server/settings/own-version.js'

/** The commands, in the order in which the help and `docs/commands.md` list them. */
const commands = [
  addInit,
  addStart,
  addDev,
  addDoctor,
  addCheck,
  addSchema,
  addTypes,
  addSeed,
  addExport,
  addImport,
  addImportStrapi,
  addImportStrapiV3,
  addConfig,
  addEntries,
  addMedia,
  addRepair,
  addDatabase,
]

/** The exit codes of all commands, as described in the help. */
export const exitCodes = {
  0: 'success',
  1: 'failure, or a finding that the help of the command describes',
  2: 'invalid command line',
} as const

/** Creates the command `quire` with all subcommands. */
export function createProgram(): QuireCommand {
  const program = new QuireCommand('quire')
    .description('A headless content service: a REST API for your content-types, on MongoDB.')
    .version(ownVersion(), '-v, --version', 'shows the version of Quire')
    .helpOption('-h, --help', 'shows this help')
    .helpCommand('help [command]', 'shows the help of a command')
    .showHelpAfterError('(See --help.)')
    // Commander must throw instead of exiting, because `runCommand` sets the exit code.
    .exitOverride()
    .addHelpText(
      'after',
      `
Quire reads settings from the environment, then from .env in this folder, then from quire.config.json.

Exit codes: ${Object.entries(exitCodes)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('; ')}.`,
    )
  for (const add of commands) add(program)
  return program
}
