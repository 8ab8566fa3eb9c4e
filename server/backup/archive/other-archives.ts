import { ownCommand } from '../../settings/own-command.js'
import { ArchiveError } from './tar-files.js'

/** The error of `quire import-strapi` for an archive of `quire export`. */
export const archiveOfQuire = (): ArchiveError =>
  new ArchiveError(
    `This is an archive of \`quire export\`: import it with \`${ownCommand('import')}\``,
  )

/** The error of `quire import` for an archive of `strapi export`. */
export const archiveOfStrapi = (): ArchiveError =>
  new ArchiveError(
    `This is an archive of \`strapi export\`: import it with \`${ownCommand('import-strapi')}\``,
  )

/** Whether archives of `strapi export` have this name at the top level. No backup has one of these names. */
export const isNamedByStrapi = (name: string): boolean =>
  /^(?:(?:schemas|entities|links|configuration|assets)\/|metadata\.json$)/.test(name)
