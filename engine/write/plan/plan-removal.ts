import type { ReferencePath } from '../../repair/reference-paths.js'
import { pathFrom } from '../../repair/reference-paths.js'
import { placeText } from '../../schema/reference-places.js'
import { referenceText, referencesField } from '../../values/references.js'

/** A filter, an aggregation stage or an expression. */
type Part = Readonly<Record<string, unknown>>

/** An `updateMany` that removes references to documents from all attribute paths of a collection. */
export type ReferenceRemoval = Readonly<{
  collection: string
  filter: Part
  /** An update pipeline. It changes each version atomically, based on what the version contains at that moment. */
  update: readonly Part[]
}>

/**
 * Plans the removal of references to documents of one type from some attribute paths of a collection. References are
 * compared by documentId alone, because a documentId is never used again, not even by another type.
 * @param by how to find the versions that contain references. `list`: by their lists of references; requires that all
 * versions with references have such a list, and that the lists are indexed. `fields`: by the relation and media fields
 * themselves
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

/**
 * Expression: the list of references without the references in `texts`. If nothing is left, the list is removed,
 * because a version without references has no list.
 */
function listWithout(texts: readonly string[]): Part {
  const isOne = { $in: ['$$this', { $literal: texts }] }
  const input = { $ifNull: [`$${referencesField}`, []] }
  const left = { $filter: { input, cond: { $not: [isOne] } } }
  const kept = { $cond: [{ $eq: ['$$left', []] }, '$$REMOVE', '$$left'] }
  return { $let: { vars: { left }, in: kept } }
}

/** Where a structure contains references, by field: directly in the field (`references`), or inside its components. */
type Tree = Map<string, 'references' | Values>
type Values = Readonly<{
  isList: boolean
  /** For a dynamic zone, the keys are component uids. Otherwise there is only one key, the empty string. */
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

/**
 * Returns the expressions to set, by field. A field that is missing in a version stays missing, because its expression
 * has no value.
 */
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

/** Expression: a list without references to these documents. A single reference to one of them becomes null. */
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
