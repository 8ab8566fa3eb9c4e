import { partOf, parts, type Part } from '../../server/backup/parts.js'
import { selectionOf, type Selection } from '../../server/backup/selection.js'
import { ImportRefused } from '../import-runner/import-refused.js'
import type { Overview } from './archive-overview.js'

/**
 * What is chosen of what an archive has: an archive that was written with `--only` or `--exclude` takes the place of
 * what it brings, and of nothing else. Types that were defined after it was written are none of its business.
 * @throws ImportRefused where something was asked for that it does not have
 */
export function narrowToArchive(
  chosen: Selection,
  { manifest, end, definitions }: Pick<Overview, 'manifest' | 'end' | 'definitions'>,
): Selection {
  const uids = Object.keys(end.entries)
  const named = [...manifest.asked.only, ...manifest.asked.exclude].filter(isUid)
  const archived = selectionOf(manifest.asked, [
    ...[...uids, ...named],
    ...definitions.map(({ _id }) => _id),
  ])
  // An export notes every type that it was to have, those without entries as well.
  const hasEntries = (uid: string): boolean => Object.hasOwn(end.entries, uid)
  for (const name of chosen.asked.only) {
    const has = isUid(name)
      ? hasEntries(name)
      : archived.hasWhole(name as Part) || uids.some((uid) => partOf(uid) === name)
    if (!has)
      throw new ImportRefused(
        `The archive has nothing of ${name}: it has ${[...parts.filter(archived.hasWhole), ...uids.filter((uid) => !archived.hasWhole(partOf(uid)))].join(', ')}`,
      )
  }
  return {
    asked: chosen.asked,
    hasWhole: (part) => chosen.hasWhole(part) && archived.hasWhole(part),
    hasType: (uid) => chosen.hasType(uid) && hasEntries(uid),
    hasSequence: (id) => chosen.hasSequence(id) && archived.hasSequence(id),
  }
}

const isUid = (name: string): boolean => name.includes('::')
