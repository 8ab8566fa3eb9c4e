import type { NodePlan } from './read-plan.js'

/** A stored entry or component value, as the driver returns it (`storage.md`, "An entry version"). */
export type Stored = Readonly<Record<string, unknown>>

/** A reference of a relation or media; `order` is its place in the inverse list. */
export type Reference = Readonly<{ documentId: string; order: number }>

/** The values of an embedded or reference field, which is one, a list, or nothing. */
export function valuesOf(stored: unknown): readonly Stored[] {
  if (Array.isArray(stored)) return stored as Stored[]
  return typeof stored === 'object' && stored !== null ? [stored as Stored] : []
}

/** What is stored at a path that leads through embedded values; null where there is nothing. */
export function valueAt(value: Stored, path: string): unknown {
  let here: unknown = value
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return null
    here = (here as Stored)[name]
  }
  return here ?? null
}

export function referencesOf(value: Stored, path: string): readonly Reference[] {
  return valuesOf(valueAt(value, path)) as unknown as readonly Reference[]
}

/** Of a dynamic zone: what is shown of a value, undefined where it is not shown. */
export function zoneNodeOf(
  nodes: Readonly<Record<string, NodePlan>>,
  value: Stored,
): NodePlan | undefined {
  const uid = value['__component']
  return typeof uid === 'string' && Object.hasOwn(nodes, uid) ? nodes[uid] : undefined
}

/** The locale of an entry; null where its type has none. */
export function localeOf(entry: Stored): string | null {
  const locale = entry['locale']
  return typeof locale === 'string' ? locale : null
}
