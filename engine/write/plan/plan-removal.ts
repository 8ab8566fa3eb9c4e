import { placeText } from '../../schema/reference-places.js'
import { referenceText, referencesField } from '../../values/references.js'
import { type ContentType, collectionsOf, type Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { hasListIndex } from '../../schema/index-list.js'
import { newestTypesOf } from '../../schema/whole-types.js'
import { isStored } from '../../schema/attribute.js'
import { type Segment, attributesIn } from '../../schema/attributes-in.js'
import { isMany, isReferring, targetOf } from '../../schema/edge-attribute.js'
import type { Types } from '../../schema/stored-places.js'

type Part = Readonly<Record<string, unknown>>

/** An `updateMany` that removes references to documents. */
export type ReferenceRemoval = Readonly<{
  collection: string
  filter: Part
  /** Changes each version atomically, based on its content at that moment. */
  update: readonly Part[]
}>

/**
 * Plans the removal of references to documents of one type from the given attribute paths of a collection. Compares
 * only documentIds, because they are never reused, not even by another type.
 * @param by `list`: find the references by the lists of references, which must be complete and indexed; `fields`: by
 *   the relation and media fields
 */
export function planRemoval(
  collection: string,
  paths: readonly ReferencePath[],
  uid: string,
  documentIds: readonly string[],
  by: 'list' | 'fields' = 'fields',
): ReferenceRemoval {
  const texts = paths.flatMap(({ segments, field, target }) => {
    const text = placeText(segments, field)
    return documentIds.map((id) => referenceText(text, id, target === null ? uid : undefined))
  })
  const set = editsOf(treeOf(paths), '$', documentIds, 0)
  const revision = { $add: ['$_revision', 1] }
  return {
    collection,
    filter: by === 'list' ? { [referencesField]: { $in: texts } } : referring(paths, documentIds),
    update: [{ $set: { ...set, [referencesField]: listWithout(texts), _revision: revision } }],
  }
}

function referring(paths: readonly ReferencePath[], documentIds: readonly string[]): Part {
  const conditions = paths.map((path) => ({ [pathFrom(path, 0)]: { $in: documentIds } }))
  const [only = {}] = conditions
  return conditions.length > 1 ? { $or: conditions } : only
}

/** Expression: the list of references without `texts`. An empty list is removed. */
function listWithout(texts: readonly string[]): Part {
  const isOne = { $in: ['$$this', { $literal: texts }] }
  const input = { $ifNull: [`$${referencesField}`, []] }
  const left = { $filter: { input, cond: { $not: [isOne] } } }
  const kept = { $cond: [{ $eq: ['$$left', []] }, '$$REMOVE', '$$left'] }
  return { $let: { vars: { left }, in: kept } }
}

/** Where a structure contains references, by field: in the field itself, or inside its components. */
type Tree = Map<string, 'references' | Values>
type Values = Readonly<{
  isList: boolean
  /** Trees by component uid in a dynamic zone. Otherwise, the only tree, under the empty string. */
  components: Map<string, Tree>
}>

const createTree = (): Tree => new Map<string, 'references' | Values>()

function treeOf(paths: readonly ReferencePath[]): Tree {
  const root = createTree()
  for (const { segments, field } of paths) {
    let here = root
    for (const { field: step, isList, component = '' } of segments) {
      const known = here.get(step)
      const values: Values =
        known === undefined || known === 'references'
          ? { isList, components: new Map<string, Tree>() }
          : known
      here.set(step, values)
      const below: Tree = values.components.get(component) ?? createTree()
      values.components.set(component, below)
      here = below
    }
    here.set(field, 'references')
  }
  return root
}

/** Returns the expressions to set, by field. They have no value for a missing field, so it stays missing. */
function editsOf(
  tree: Tree,
  prefix: string,
  documentIds: readonly string[],
  depth: number,
): Readonly<Record<string, Part>> {
  const edits = [...tree].map(([field, place]) => {
    const value = `${prefix}${field}`
    const edit =
      place === 'references'
        ? withoutReferences(value, documentIds)
        : editValues(place, value, documentIds, depth)
    return [field, edit] as const
  })
  return Object.fromEntries(edits)
}

/** Expression: a list without references to these documents. A single reference becomes null. */
function withoutReferences(value: string, documentIds: readonly string[]): Part {
  const gone = { $literal: documentIds }
  const isKept = { $not: [{ $in: ['$$this.documentId', gone] }] }
  const one = { $cond: [{ $in: [`${value}.documentId`, gone] }, null, value] }
  return {
    $cond: [{ $isArray: [value] }, { $filter: { input: value, cond: isKept } }, one],
  }
}

function editValues(
  { isList, components }: Values,
  value: string,
  documentIds: readonly string[],
  depth: number,
): Part {
  if (!isList) return editValue(components, value, documentIds, depth)
  const name = `e${depth}`
  const edited = editValue(components, `$$${name}`, documentIds, depth + 1)
  const list = { $map: { input: value, as: name, in: edited } }
  return { $cond: [{ $isArray: [value] }, list, value] }
}

function editValue(
  components: ReadonlyMap<string, Tree>,
  value: string,
  documentIds: readonly string[],
  depth: number,
): Part {
  const isObject = { $eq: [{ $type: value }, 'object'] }
  const branches = [...components].map(([component, tree]) => {
    const isOf = { $eq: [`${value}.__component`, { $literal: component }] }
    const edits = editsOf(tree, `${value}.`, documentIds, depth)
    return {
      case: component === '' ? isObject : { $and: [isObject, isOf] },
      then: { $mergeObjects: [value, edits] },
    }
  })
  return { $switch: { branches, default: value } }
}

export type DeletePlan = Readonly<{
  documentId: string
  /** `*` = all locales. */
  locale: string | null
  /** The first collection decides whether a document exists. */
  collections: readonly string[]
  /** Required revision of the draft or only version. */
  ifRevision?: number | undefined
  /** Required `updatedAt` of the draft or only version. */
  ifUpdatedAt?: Date
}>

/**
 * Plans the removal of references to documents of a type: one command for each collection whose versions may contain
 * such references. Considers the definitions of this registry and the newest ones.
 */
export function planRemovals(
  registry: Registry,
  target: ContentType,
  documentIds: readonly string[],
): readonly ReferenceRemoval[] {
  const types = newestTypesOf(registry)
  return [...types.contentTypes.values()].flatMap((type) => {
    const paths = referencePaths(type, types).filter(
      (path) => path.target === null || path.target === target.uid,
    )
    if (paths.length === 0) return []
    const by = hasListIndex(type) ? 'list' : 'fields'
    return collectionsOf(type).map((collection) =>
      planRemoval(collection, paths, target.uid, documentIds, by),
    )
  })
}

/**
 * Path to a relation or media field: `seo.social.profile` has the segments `seo` and `social`, and the field `profile`.
 */
export type ReferencePath = Readonly<{
  segments: readonly Segment[]
  field: string
  many: boolean
  /** uid of the target type; null if each reference names its target's type. */
  target: string | null
}>

/** Returns the paths of all relation and media fields, including those in components. */
export function referencePaths(structure: Structure, types: Types): readonly ReferencePath[] {
  return [...attributesIn(structure, types)].flatMap(({ segments, attribute }) => {
    if (!isReferring(attribute) || !isStored(attribute)) return []
    const many = isMany(attribute)
    const target = attribute.type === 'morph' ? null : targetOf(attribute)
    return [{ segments, field: attribute.storedAs, many, target }]
  })
}

/** Returns the path of a documentId from segment number `from` on: `seo.social.profile.documentId`. */
function pathFrom({ segments, field }: ReferencePath, from: number): string {
  return [...segments.slice(from).map((segment) => segment.field), field, 'documentId'].join('.')
}
