import type { ContentType } from '../../schema/content-type.js'
import type { Version } from './change.js'
import type { Fields } from '../../values/stored-types.js'

/** Returns the stored names of shared attributes (docs/internals/decisions.md, "What locales share"). */
export function sharedFields(type: ContentType): readonly string[] {
  if (!type.localized) return []
  return [...type.attributes.values()]
    .filter(({ localized, type }) => !localized && type !== 'relation' && type !== 'morph')
    .map(({ storedAs }) => storedAs)
}

export type SharedCopy = Readonly<{ fields: Fields; stamps: Readonly<Record<string, number>> }>

/** Returns, for a new locale, the value with the latest stamp of each shared attribute. */
export function copyShared(type: ContentType, siblings: readonly Version[]): SharedCopy {
  const fields: Record<string, unknown> = {}
  const stamps: Record<string, number> = {}
  for (const field of sharedFields(type)) {
    for (const sibling of siblings) {
      const stamp = stampOf(sibling, field)
      if (field in fields && stamp <= (stamps[field] ?? 0)) continue
      fields[field] = sibling[field] ?? null
      if (stamp > 0) stamps[field] = stamp
    }
  }
  return { fields, stamps }
}

function stampOf(version: Version | undefined, field: string): number {
  return version?._stamps?.[field] ?? 0
}

/**
 * Returns the stamp of a new value: whole milliseconds after `seen`, plus a fraction that identifies the locale. So
 * stamps of two locales are never equal. If they were, neither value would win. A double that holds the current time in
 * milliseconds has room for 4096 fractions of a millisecond.
 * @param seen stamp of the value that is replaced
 */
export function nextStamp(
  seen: number,
  now: number,
  locale: string | null,
  locales: ReadonlySet<string>,
): number {
  const rank = [...locales].sort().indexOf(locale ?? '') + 1
  return Math.max(now, Math.floor(seen) + 1) + (rank % 1024) / 1024
}
