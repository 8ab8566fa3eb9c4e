import type { ReferencePath } from '../../repair/reference-paths.js'
import { pathFrom } from '../../repair/reference-paths.js'
import { placeText } from '../../schema/reference-places.js'
import { referenceText, referencesField } from '../../values/references.js'

/** Part of a command: a filter, a stage, an expression. */
type Part = Readonly<Record<string, unknown>>

/** One `updateMany` that removes references to documents from all places of a collection. */
export type ReferenceRemoval = Readonly<{
  collection: string
  filter: Part
  /** An update pipeline, so that each version is changed atomically, based on its present content. */
  update: readonly Part[]
}>

/**
 * Plans the removal of references to documents of a type from places of a collection. A documentId is never reused, so
 * it also identifies the type.
 * @param by how to find the versions that refer to the documents. `list`: by their lists of references, if all versions
 * with references have one and it is indexed. `fields`: by the fields themselves
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
 * Expression: the list of references without these texts. Removes an empty list, because a version without references
 * has none.
 */
function listWithout(texts: readonly string[]): Part {
  const isOne = { $in: ['$$this', { $literal: texts }] }
  const input = { $ifNull: [`$${referencesField}`, []] }
  const left = { $filter: { input, cond: { $not: [isOne] } } }
  const kept = { $cond: [{ $eq: ['$$left', []] }, '$$REMOVE', '$$left'] }
  return { $let: { vars: { left }, in: kept } }
}

/** The parts of a structure that contain references, by field: `references` itself, or values of components. */
type Tree = Map<string, 'references' | Values>
type Values = Readonly<{
  isList: boolean
  /** By component in a dynamic zone; otherwise the only key is the empty text. */
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

/** Returns expressions by field. Missing fields stay missing: an expression without a value sets nothing. */
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

/** Expression: a list without these documents, or null instead of a single reference to one of them. */
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
