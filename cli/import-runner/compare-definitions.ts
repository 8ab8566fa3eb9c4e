import { isDeepStrictEqual } from 'node:util'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { objectOf, type PlainObject } from '../../engine/values/is-object.js'

/** How the definitions of an export stand to those of a project. */
export type Comparison = ReturnType<typeof compareDefinitions>

/** @param there definitions of the project, where they come from in `source` */
export function compareDefinitions(
  exported: readonly SourcedDefinition[],
  there: readonly SourcedDefinition[],
) {
  const own = new Map(there.map((definition) => [definition.uid, definition]))
  /** Those that the project does not have. */
  const missing = exported.filter(({ uid }) => !own.has(uid))
  /** A sentence for each attribute or option that is not the same in both. */
  const differences = exported.flatMap((one) => {
    const other = own.get(one.uid)
    return other === undefined ? [] : differencesOf(one, other)
  })
  return { missing, differences }
}

function differencesOf(one: SourcedDefinition, other: SourcedDefinition): readonly string[] {
  const of = (what: string): string => `${one.uid}: ${what} (${other.source})`
  const { definition: given } = one
  const { definition: there } = other
  const isExtension = given.kind === undefined
  // Only these decide how entries are stored. The rest, such as `info`, says how a panel shows them.
  const members =
    one.kind === 'component' || isExtension
      ? []
      : [
          ...tell(of, 'kind', given.kind, there.kind ?? 'collectionType'),
          ...tell(of, 'collectionName', given.collectionName, there.collectionName),
          ...tell(of, 'draft & publish', isDrafting(one), isDrafting(other)),
          ...tell(of, 'localization', isLocalized(one), isLocalized(other)),
        ]
  const own = attributesOf(one)
  const others = attributesOf(other)
  const names = new Set([...Object.keys(own), ...(isExtension ? [] : Object.keys(others))])
  return [
    ...members,
    ...[...names].flatMap((name) => tell(of, `attribute "${name}"`, own[name], others[name])),
  ]
}

function tell(of: (what: string) => string, what: string, one: unknown, other: unknown): string[] {
  if (isDeepStrictEqual(one, other)) return []
  if (other === undefined) return [of(`${what} is in the export, and not in the project`)]
  if (one === undefined) return [of(`${what} is in the project, and not in the export`)]
  return [of(`${what} is ${JSON.stringify(one)} in the export, and ${JSON.stringify(other)} here`)]
}

const attributesOf = ({ definition }: SourcedDefinition): PlainObject =>
  objectOf(definition.attributes)

const isDrafting = ({ definition }: SourcedDefinition): boolean =>
  objectOf(definition.options).draftAndPublish === true

export const isLocalized = ({ definition }: Pick<SourcedDefinition, 'definition'>): boolean =>
  objectOf(objectOf(definition.pluginOptions).i18n).localized === true
