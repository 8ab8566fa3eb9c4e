import { hash } from 'node:crypto'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { storedNameOf } from '../../engine/schema/names.js'
import type { StoredDefinition } from './definition-store.js'

/** Maximum number of hashes, far more than a project has. Files whose hash was dropped are not recognized as older. */
const maxHashes = 1_000

/** The hash depends on the order of attributes, but not on the order of files. */
export function hashOf(
  files: readonly Readonly<{ uid: string; kind: string; definition: unknown }>[],
): string {
  const sorted = files
    .map(({ uid, kind, definition }) => JSON.stringify([uid, kind, definition]))
    .sort()
  return hash('sha256', sorted.join('\n'), 'hex').slice(0, 32)
}

/**
 * Returns a hash for each state of the files that a database has seen, newest last. Without stored hashes, hashes the
 * current definitions.
 */
export function chainOf(
  hashes: readonly string[] | undefined,
  stored: readonly StoredDefinition[],
): readonly string[] {
  if (hashes !== undefined) return hashes
  const files = stored.filter(({ source }) => source === 'file')
  return files.length === 0
    ? []
    : [hashOf(files.map(({ _id, kind, definition }) => ({ uid: _id, kind, definition })))]
}

/** Returns whether the database has seen other files after these. */
export function isOlder(hash: string, chain: readonly string[]): boolean {
  return chain.includes(hash) && chain.at(-1) !== hash
}

/** Returns the hashes with `hash` as the newest. */
export function withNewest(hash: string, chain: readonly string[]): readonly string[] {
  return [...chain.filter((other) => other !== hash), hash].slice(-maxHashes)
}

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Adds the attributes that only earlier definitions had: their values may still be stored. */
export function withPrevious(
  previous: readonly SourcedDefinition[],
  definitions: readonly SourcedDefinition[],
): readonly SourcedDefinition[] {
  const now = new Map(definitions.map((one) => [one.uid, one]))
  const gone = previous.filter(({ uid }) => !now.has(uid))
  const previousByUid = new Map(previous.map((one) => [one.uid, one]))
  return [
    ...definitions.map((one) => {
      const before = previousByUid.get(one.uid)
      if (before === undefined) return one
      const attributes = attributesOf(one)
      const used = new Set(Object.entries(attributes).map(storedName))
      const missing = Object.entries(attributesOf(before)).filter(
        (entry) => !used.has(storedName(entry)),
      )
      const all: Record<string, Attributes[string]> = { ...attributes }
      for (const [name, attribute] of missing) {
        let free = name
        while (Object.hasOwn(all, free)) free = `former_${free}`
        all[free] = { ...attribute, storedAs: storedName([name, attribute]) }
      }
      if (missing.length === 0) return one
      return { ...one, definition: { ...one.definition, attributes: all } }
    }),
    ...gone,
  ]
}

/** Returns the name of the field that stores an attribute. */
export function storedName([name, given]: readonly [string, Attributes[string]]): string {
  const { storedAs, renamedFrom } = given
  if (typeof storedAs === 'string') return storedAs
  return storedNameOf(typeof renamedFrom === 'string' ? renamedFrom : name)
}

export function attributesOf({ definition }: SourcedDefinition): Attributes {
  const { attributes } = definition as Readonly<{ attributes?: Attributes }>
  return attributes ?? {}
}
