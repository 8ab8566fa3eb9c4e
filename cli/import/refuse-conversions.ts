import type { Registry } from '../../engine/schema/registry.js'
import type { Selection } from '../../server/backup/selection.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { isLocalized } from '../import-runner/compare-definitions.js'
import type { Overview } from './archive-overview.js'

/**
 * Rejects entries that would need drafts or locales which the archive does not have, or the reverse. Without them no
 * request would find the entries. Checked even with `--keep-definitions`.
 * @param overview with the names of this project
 * @throws Error
 */
export function refuseConversions(
  { definitions, end }: Overview,
  selection: Selection,
  { contentTypes }: Registry,
): void {
  const archived = new Map(definitions.map((one) => [one._id, sourced(one)]))
  const lines = Object.entries(end.entries).flatMap(([uid, { published, drafts }]) => {
    const type = contentTypes.get(uid)
    if (type === undefined || !selection.hasType(uid) || published + drafts === 0) return []
    const definition = archived.get(uid)
    const wasLocalized = definition === undefined ? type.localized : isLocalized(definition)
    return [
      // With draft & publish every entry has a draft.
      ...difference(uid, 'draft & publish', drafts > 0, type.draftAndPublish),
      ...difference(uid, 'localization', wasLocalized, type.localized),
    ]
  })
  if (lines.length === 0) return
  throw new Error(
    [
      'An import cannot turn draft & publish or localization on or off:',
      ...lines,
      `Import the archive with definitions that are as in the archive. To turn one on afterwards, change the definitions and run \`${ownCommand('schema apply')}\`.`,
    ].join('\n'),
  )
}

function difference(
  uid: string,
  option: string,
  inArchive: boolean,
  here: boolean,
): readonly string[] {
  const word = (isOn: boolean): string => (isOn ? 'on' : 'off')
  return inArchive === here
    ? []
    : [`  ${uid}: ${option} is ${word(inArchive)} in the archive, and ${word(here)} here`]
}
