import type { Structure } from '../../../../../engine/schema/content-type.js'
import { builtIn } from '../../../../../engine/schema/registry.js'
import { relates } from './publication.js'
import type { Doc, Row, View } from './world.js'
import { chainBehind } from './follow.js'
import { firstIn, listOf, rowOf, versionsOf } from './world.js'

export const isFile = ({ uid }: Structure): boolean => uid === builtIn.file

const managed: readonly string[] = [builtIn.adminUser, builtIn.locale, builtIn.role]

/** Returns the entries that use a file, type by type (docs/internals/decisions.md, "Where a file is used"). */
export function relatedTo(view: View, file: Row): readonly Row[] {
  const id = file.value?.['documentId']
  return [...view.world.registry.contentTypes.values()]
    .filter(({ uid }) => !managed.includes(uid))
    .flatMap((type) =>
      (type.localized ? firstIn(versionsOf(view, type), view.locales) : versionsOf(view, type))
        .map((version) => ({ ...rowOf(type, version), chain: chainBehind(view) }))
        .filter((row) => relates(view, type, row))
        .filter(({ value }) => uses(view, type, value ?? {}, id))
        .toSorted((a, b) => Number(a.value?.['_id']) - Number(b.value?.['_id'])),
    )
}

function uses(view: View, structure: Structure, value: Doc, id: unknown): boolean {
  const { components } = view.world.registry
  return [...structure.attributes.values()].some((attribute) => {
    if (attribute.private) return false
    const stored = listOf(value[attribute.storedAs])
    if (attribute.type === 'media') return stored.some(({ documentId }) => documentId === id)
    const isZone = attribute.type === 'dynamiczone'
    if (!isZone && attribute.type !== 'component') return false
    return stored.some((inner) => {
      const uid = isZone ? String(inner['__component']) : attribute.component
      // Components that the zone no longer allows are not shown.
      if (isZone && !attribute.components.includes(uid)) return false
      const component = components.get(uid)
      return component !== undefined && uses(view, component, inner, id)
    })
  })
}
