import { isDeepStrictEqual } from 'node:util'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isObject, objectOf } from '../../engine/values/is-object.js'
import type { RenamedType } from './definition-store.js'

/** One difference between two definitions. */
export type DefinitionDifference = Readonly<{
  uid: string
  /** Path such as `attributes.title.required`. Empty for the whole definition. */
  path: string
  kind: 'added' | 'removed' | 'changed'
  from?: unknown
  to?: unknown
}>

/** Returns the differences sorted by uid. A renamed type is compared with its previous definition. */
export function definitionDifferences(
  before: readonly SourcedDefinition[],
  after: readonly SourcedDefinition[],
  renamed: readonly RenamedType[],
): readonly DefinitionDifference[] {
  const byUid = (definitions: readonly SourcedDefinition[]) =>
    new Map(definitions.map(({ uid, definition }) => [uid, definition]))
  const [old, now] = [byUid(before), byUid(after)]
  for (const { from, to } of renamed) {
    const previous = old.get(from)
    if (previous === undefined) continue
    old.delete(from)
    old.set(to, previous)
  }
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((uid) => {
    if (!old.has(uid)) return [{ uid, path: '', kind: 'added' } as const]
    if (!now.has(uid)) return [{ uid, path: '', kind: 'removed' } as const]
    const [from, to] = [old.get(uid), now.get(uid)]
    return [...differencesIn(from, to, []), ...orderIn(from, to)].map((one) => ({ uid, ...one }))
  })
}

/** Returns a difference if the order of attributes has changed, because responses have the same order. */
function orderIn(before: unknown, after: unknown): readonly Inside[] {
  const namesIn = (definition: unknown): readonly string[] =>
    Object.keys(objectOf(objectOf(definition).attributes))
  const [old, now] = [namesIn(before), namesIn(after)]
  const from = old.filter((name) => now.includes(name))
  const to = now.filter((name) => old.includes(name))
  return isDeepStrictEqual(from, to) ? [] : [{ path: 'attributes', kind: 'changed', from, to }]
}

type Inside = Omit<DefinitionDifference, 'uid'>

function differencesIn(from: unknown, to: unknown, way: readonly string[]): readonly Inside[] {
  if (isDeepStrictEqual(from, to)) return []
  const path = way.join('.')
  if (from === undefined) return [{ path, kind: 'added', to }]
  if (to === undefined) return [{ path, kind: 'removed', from }]
  if (!isObject(from) || !isObject(to)) return [{ path, kind: 'changed', from, to }]
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) =>
    differencesIn(from[key], to[key], [...way, key]),
  )
}
