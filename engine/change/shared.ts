import type { ContentType } from '../schema/content-type.js'
import type { Fields, Version } from './versions.js'

/** Attributes that all locales of a document have in common (D20), by stored name. */
export function sharedFields(type: ContentType): readonly string[] {
  if (!type.localized) return []
  return [...type.attributes.values()]
    .filter(({ localized, type }) => !localized && type !== 'relation')
    .map(({ storedAs }) => storedAs)
}

export type SharedCopy = Readonly<{ fields: Fields; stamps: Readonly<Record<string, number>> }>

/** What a new locale takes over from those that are there: of each shared attribute the latest. */
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

export function stampOf(version: Version | undefined, field: string): number {
  return version?._stamps?.[field] ?? 0
}
