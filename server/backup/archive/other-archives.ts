import { ownCommand } from '../../settings/own-command.js'
import { ArchiveError } from './tar-files.js'

/** The error if `quire import-strapi` gets an archive of `quire export`. */
export const archiveOfQuire = (): ArchiveError =>
  new ArchiveError(
    `This is an archive of \`quire export\`: import it with \`${ownCommand('import')}\``,
  )

/** The error if `quire import` gets an archive of `strapi export`. */
export const archiveOfStrapi = (): ArchiveError =>
  new ArchiveError(
    `This is an archive of \`strapi export\`: import it with \`${ownCommand('import-strapi')}\``,
  )

/** Returns whether archives of `strapi export`, but not those of Quire, contain a file of this name. */
export const isNamedByStrapi = (name: string): boolean =>
  /^(?:(?:schemas|entities|links|configuration|assets)\/|metadata\.json$)/.test(name)
