import type { Document } from 'mongodb'
import type { MemberPlan, NodePlan, ValuesPlan } from '../plan/read-plan.js'

/** A tree of stored field names: what MongoDB is to send, and nothing else. */
type Tree = { [field: string]: Tree | 1 }

/** The `$project` of an entry: shown fields, references to follow, and what stitching needs. */
export function compileProjection(node: NodePlan, extra: readonly string[] = []): Document {
  const tree: Tree = { _id: 1, documentId: 1 }
  if (node.localized) tree['locale'] = 1
  for (const field of extra) add(tree, field.split('.'))
  addMembers(tree, node.members)
  return tree
}

function addMembers(tree: Tree, members: readonly MemberPlan[]): void {
  for (const member of members) {
    switch (member.kind) {
      case 'field':
        add(tree, [member.path])
        break
      case 'component':
        addEmbedded(tree, member.path, [member])
        break
      case 'zone':
        addEmbedded(tree, member.path, Object.values(member.components))
        if (member.count) tree[member.path] = 1
        break
      case 'edge':
        if (member.link.stored === 'here') add(tree, [member.link.path])
    }
  }
}

/** A component's fields; of a dynamic zone the union of its components' fields. All, where values are compared. */
function addEmbedded(tree: Tree, path: string, plans: readonly ValuesPlan[]): void {
  const there = tree[path]
  if (there === 1) return
  if (plans.some(({ filter, sort }) => filter !== null || sort.length > 0)) {
    tree[path] = 1
    return
  }
  const inner: Tree = (tree[path] = there ?? {})
  inner['id'] = 1
  inner['__component'] = 1
  for (const { node } of plans) addMembers(inner, node.members)
}

function add(tree: Tree, [field = '', ...rest]: readonly string[]): void {
  const there = tree[field]
  if (there === 1) return
  if (rest.length === 0) tree[field] = 1
  else add((tree[field] = there ?? {}), rest)
}
