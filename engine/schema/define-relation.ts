import type { AttributeBase, RelationAttribute, RelationKind } from './attribute.js'
import type { RawObject } from './read-options.js'
import { morphKinds } from './define-morph.js'
import { present, readText, requireText } from './read-options.js'
import type { Report } from './schema-error.js'
import { didYouMean } from '../errors/nearest-name.js'

export const relationKinds: readonly RelationKind[] = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
]

/**
 * A relation from its definition, by itself: whether the other end agrees is `linkRelations`' business. The
 * owner is the side with `inversedBy`, or the only side; two-sided oneToOne and oneToMany are exclusive
 * (docs/storage.md, "Relations").
 */
export function defineRelation(
  base: AttributeBase,
  raw: RawObject,
  inComponent: boolean,
  report: Report,
): RelationAttribute | undefined {
  const relation = readKind(raw, report)
  const target =
    relation &&
    requireText(raw, 'target', report, 'a relation needs the uid of the content-type it leads to')
  const mappedBy = readText(raw, 'mappedBy', report)
  const inversedBy = readText(raw, 'inversedBy', report)
  if (mappedBy !== undefined && inversedBy !== undefined)
    report.warn(
      'mappedBy',
      'a relation has mappedBy (it is the inverse side) or inversedBy (it owns), not both: it owns',
    )
  const named = inversedBy ?? mappedBy
  if (inComponent && named !== undefined)
    report.warn(
      inversedBy === undefined ? 'mappedBy' : 'inversedBy',
      'the relation is stored here: inside a component it has one side only',
    )
  const counterpart = inComponent ? undefined : named
  if (relation === undefined || target === undefined) return undefined
  return {
    ...base,
    type: 'relation',
    relation,
    target,
    owner: counterpart === undefined || inversedBy !== undefined,
    ...present({ counterpart }),
    many: relation === 'oneToMany' || relation === 'manyToMany',
    exclusive: counterpart !== undefined && (relation === 'oneToOne' || relation === 'oneToMany'),
  }
}

function readKind(raw: RawObject, report: Report): RelationKind | undefined {
  const given = requireText(
    raw,
    'relation',
    report,
    `a relation is one of ${relationKinds.join(', ')}`,
  )
  const kind = relationKinds.find((known) => known === given)
  if (kind !== undefined || given === undefined) return kind
  const known = [...relationKinds, ...morphKinds]
  report('relation', `there is no relation "${given}"${didYouMean(given, known)}`)
  return undefined
}
