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

/** The commands, in the order of the help and of `docs/commands.md`. */
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
  0: 'it did what it was told',
  1: 'it could not, or found what it was to look for (the help of a command says so)',
  2: 'it was not understood',
} as const

/** Creates the command `quire` with all subcommands. */
export function createProgram(): QuireCommand {
  const program = new QuireCommand('quire')
    .description('A headless content service: content-types in, a REST API out, on MongoDB.')
    .version(ownVersion(), '-v, --version', 'the version of Quire')
    .helpOption('-h, --help', 'how it is used')
    .helpCommand('help [command]', 'how a command is used')
    .showHelpAfterError('(--help says how it is used)')
    // Make commander throw instead of exiting, because `runCommand` sets the exit code.
    .exitOverride()
    .addHelpText(
      'after',
      `
Settings are read from the environment, then from .env in this folder, then from quire.config.json.

Ends with ${Object.entries(exitCodes)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('; ')}.`,
    )
  for (const add of commands) add(program)
  return program
}
