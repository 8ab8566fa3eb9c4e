import { strandingChanges } from '../../engine/schema/compare/compare-types.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { Selection } from '../../server/backup/selection.js'
import { typesOf } from '../../server/content-types/check-changes.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { isLocalized } from '../import-runner/compare-definitions.js'
import type { Overview } from './archive-overview.js'

/**
 * Throws if entries would become inaccessible with the project's definitions, for example because they lack the draft
 * or locale that their type requires. Also applies with `--keep-definitions`.
 */
export function refuseConversions(
  { definitions, end }: Overview,
  selection: Selection,
  registry: Registry,
): void {
  const archived = definitions.map(sourced)
  const archivedBy = new Map(archived.map((one) => [one.uid, one]))
  const isImported = (uid: string): boolean => {
    const { published = 0, drafts = 0 } = end.entries[uid] ?? {}
    return selection.hasType(uid) && published + drafts > 0
  }
  const ofTypes = Object.entries(end.entries).flatMap(([uid, { drafts }]) => {
    const type = registry.contentTypes.get(uid)
    if (type === undefined || !isImported(uid)) return []
    const definition = archivedBy.get(uid)
    const wasLocalized = definition === undefined ? type.localized : isLocalized(definition)
    return [
      // Every entry with draft & publish has a draft.
      ...difference(uid, 'draft & publish', drafts > 0, type.draftAndPublish),
      ...difference(uid, 'localization', wasLocalized, type.localized),
    ]
  })
  const ofAttributes = strandingChanges(typesOf(archived), registry)
    .filter(({ path, places, differs }) => {
      const isType = path.startsWith('attributes.') && differs !== true
      return isType && places.some(({ type }) => isImported(type))
    })
    .map(({ uid, path, from, to }) => lineOf(uid, path, from, to))
  if (ofTypes.length + ofAttributes.length === 0) return
  const convertingAdvice = `To turn on draft & publish or localization afterwards, change the definitions and run \`${ownCommand('schema apply')}\`.`
  const advice = [
    ...(ofTypes.length > 0 ? [convertingAdvice] : []),
    ...(ofAttributes.length > 0 ? [renamingAdvice] : []),
  ]
  throw new Error(
    [
      'An import cannot turn draft & publish or localization on or off, or change the type of an attribute:',
      ...ofTypes,
      ...ofAttributes,
      `Import the archive with the definitions of the archive. ${advice.join(' ')}`,
    ].join('\n'),
  )
}

const renamingAdvice = 'To change the type of an attribute, give the new attribute another name.'

function difference(
  uid: string,
  option: string,
  inArchive: boolean,
  here: boolean,
): readonly string[] {
  if (inArchive === here) return []
  return [lineOf(uid, option, inArchive ? 'on' : 'off', here ? 'on' : 'off')]
}

const lineOf = (uid: string, what: string, from: string, to: string): string =>
  `  ${uid}: ${what} is ${from} in the archive, and ${to} in this project`
