/** A leaf is any condition that is not a group and does not test the elements of an array. */
export type ConditionTree<Leaf> = Group<Leaf> | Elements<Leaf> | Leaf

type Group<Leaf> = Readonly<{ kind: 'all' | 'any' | 'none'; of: readonly ConditionTree<Leaf>[] }>

/** Matches if an element of the array matches `of` or, with `orEmpty`, if the array has no elements. */
type Elements<Leaf> = Readonly<{
  kind: 'element'
  path: string
  of: ConditionTree<Leaf>
  orEmpty: boolean
}>

type Kind = Readonly<{ kind: string }>

/** `within`: the path of the array whose elements the leaf tests, with a final dot, or empty. */
type PlacedLeaf<Leaf> = Readonly<{ leaf: Leaf; within: string }>

/** Returns all leaves in order. Conditions on targets of a relation are part of its leaf. */
export function leavesOf<Leaf extends Kind>(
  tree: ConditionTree<Leaf>,
  within = '',
): readonly PlacedLeaf<Leaf>[] {
  if (isLeaf(tree)) return [{ leaf: tree, within }]
  if (tree.kind === 'element') return leavesOf(tree.of, `${within}${tree.path}.`)
  return tree.of.flatMap((member) => leavesOf(member, within))
}

/** Returns the sum of `of` over all leaves. */
export function sumOver<Leaf extends Kind>(
  tree: ConditionTree<Leaf>,
  of: (leaf: Leaf, within: string) => number,
): number {
  return leavesOf(tree).reduce((sum, { leaf, within }) => sum + of(leaf, within), 0)
}

/** Returns the tree with every leaf replaced. */
export function mapLeaves<From extends Kind, To>(
  tree: ConditionTree<From>,
  map: (leaf: From) => ConditionTree<To>,
): ConditionTree<To> {
  if (isLeaf(tree)) return map(tree)
  if (tree.kind === 'element') return { ...tree, of: mapLeaves(tree.of, map) }
  return { ...tree, of: tree.of.map((member) => mapLeaves(member, map)) }
}

const branches: ReadonlySet<string> = new Set(['all', 'any', 'none', 'element'])

const isLeaf = <Leaf extends Kind>(tree: ConditionTree<Leaf>): tree is Leaf =>
  !branches.has(tree.kind)
