import type { Db } from 'mongodb'
import { ownCommand } from '../settings/own-command.js'

/** Collection with the progress of imports. */
export const importProgressCollection = '_imports'

/** Throws if an import into this database was not finished, because the content is incomplete. */
export async function refuseHalfImported(db: Db): Promise<void> {
  const note = await db
    .collection<{ stage: string; command?: 'import' }>(importProgressCollection)
    .findOne({ stage: { $ne: 'done' } }, { projection: { stage: 1, command: 1 } })
  if (note === null) return
  throw new Error(
    `An import into this database was not finished. To continue it, run ${commandToContinue(note.command)}. To give it up, import another archive with --replace, or delete the database.`,
  )
}

/** Returns the command that continues an unfinished import. `command`: from the progress record of the import. */
export const commandToContinue = (command: 'import' | undefined): string =>
  command === 'import'
    ? `\`${ownCommand('import')}\` again with the same archive`
    : `\`${ownCommand('import-strapi')}\` again with the same archive (or \`import-strapi-v3\` with the same old database)`
