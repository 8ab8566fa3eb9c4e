import { offsetAfterName, byteAt, sizeOfValue } from './stored-bson.js'
import type { NodePlan } from '../plan/read-plan.js'

/**
 * A stored entry or component value (docs/internals/storage.md, "An entry version"), as bytes. Its fields are located
 * once and read in place, because creating objects costs more than the rest of a read.
 */
export type Stored = Readonly<{
  bytes: Buffer
  start: number
  layout: Layout
  /** Offset of each field by slot; 0 if the document has no such field. */
  places: readonly number[]
}>

/** Fields to locate in a document. A slot is the index in `names`. */
type Layout = Readonly<{
  names: readonly Buffer[]
  slots: ReadonlyMap<string, number>
  /**
   * For each slot, the slot that followed it in the last document. It is tried first, because the documents of a
   * collection have their fields in the same order.
   */
  following: number[]
}>

/** Locates the fields of the document at `start` in one pass over its bytes. */
export function locate(bytes: Buffer, start: number, layout: Layout): Stored {
  const { names, following } = layout
  const places = new Array<number>(names.length).fill(0)
  let at = start + 4
  let last = 0
  for (let type = byteAt(bytes, at); type !== 0; type = byteAt(bytes, at)) {
    const guess = following[last] as number
    const slot = isNamed(bytes, at + 1, names[guess] as Buffer)
      ? guess
      : slotOf(bytes, at + 1, names)
    if (slot === -1) {
      const value = offsetAfterName(bytes, at + 1)
      at = value + sizeOfValue(type, bytes, value)
      continue
    }
    places[slot] = at
    following[last] = slot
    last = slot
    const value = at + (names[slot] as Buffer).length + 2
    at = value + sizeOfValue(type, bytes, value)
  }
  return { bytes, start, layout, places }
}

function slotOf(bytes: Buffer, at: number, names: readonly Buffer[]): number {
  for (let slot = 0; slot < names.length; slot++) {
    if (isNamed(bytes, at, names[slot] as Buffer)) return slot
  }
  return -1
}

function isNamed(bytes: Buffer, at: number, name: Buffer): boolean {
  for (let index = 0; index < name.length; index++) {
    if (bytes[at + index] !== name[index]) return false
  }
  return bytes[at + name.length] === 0
}

const common = ['_id', 'documentId', 'locale', '_revision'] as const

export const idSlot = 0
export const documentIdSlot = 1
export const localeSlot = 2
export const revisionSlot = 3

/** Layouts by node, and by the `reference` of `layoutOf`. */
const layouts = new WeakMap<NodePlan, Map<string, Layout>>()

/** Returns the layout of a node's fields. `reference` is the field in which targets refer to their source. */
export function layoutOf(node: NodePlan, reference?: string): Layout {
  const ofNode = layouts.get(node) ?? new Map<string, Layout>()
  const known = ofNode.get(reference ?? '')
  if (known !== undefined) return known
  const paths = node.members.map((member) =>
    member.kind === 'edge' ? member.link.path : member.path,
  )
  const layout = createLayout([
    ...common,
    ...paths,
    ...(reference === undefined ? [] : [reference]),
  ])
  layouts.set(node, ofNode.set(reference ?? '', layout))
  return layout
}

/** Creates a layout. Equal names share a slot. */
export function createLayout(fields: readonly string[]): Layout {
  const names = [...new Set(fields)]
  return {
    names: names.map((name) => Buffer.from(name)),
    slots: new Map(names.map((name, slot) => [name, slot])),
    following: names.map((_, slot) => (slot + 1) % names.length),
  }
}
