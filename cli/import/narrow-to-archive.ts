import { partOf, parts, type Part } from '../../server/backup/parts.js'
import { selectionOf, type Asked, type Selection } from '../../server/backup/selection.js'
import { ImportRefused } from '../import-runner/import-refused.js'
import type { Overview } from './archive-overview.js'

/**
 * Returns the part of an archive that is asked for. An archive that was written with `--only` or `--exclude` replaces
 * what it has and nothing else. Types that were defined later stay as they are.
 * @param there uids of the types that are defined here
 * @throws ImportRefused if the archive lacks what is asked for, Error for an unknown name
 */
export function narrowToArchive(
  asked: Asked,
  { manifest, end, definitions, uids }: Overview,
  there: Iterable<string>,
): Selection {
  const entries = Object.keys(end.entries)
  const defined = definitions.map(({ _id }) => _id)
  const chosen = selectionOf(asked, [...there, ...uids, ...entries, ...defined])
  const named = [...manifest.asked.only, ...manifest.asked.exclude].filter(isUid)
  const archived = selectionOf(manifest.asked, [...entries, ...named, ...defined])
  // An export notes every type that it was to have, those without entries as well.
  const hasEntries = (uid: string): boolean => Object.hasOwn(end.entries, uid)
  for (const name of asked.only) {
    const has = isUid(name)
      ? hasEntries(name)
      : archived.hasWhole(name as Part) || entries.some((uid) => partOf(uid) === name)
    if (!has)
      throw new ImportRefused(
        `The archive has nothing of ${name}: it has ${[...parts.filter(archived.hasWhole), ...entries.filter((uid) => !archived.hasWhole(partOf(uid)))].join(', ')}`,
      )
  }
  return {
    asked,
    hasWhole: (part) => chosen.hasWhole(part) && archived.hasWhole(part),
    hasType: (uid) => chosen.hasType(uid) && hasEntries(uid),
    hasSequence: (id) => chosen.hasSequence(id) && archived.hasSequence(id),
  }
}

const isUid = (name: string): boolean => name.includes('::')
