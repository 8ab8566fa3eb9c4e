import { BSON } from 'mongodb'
import type { ValuesPlan, ZonePlan } from '../plan/read-plan.js'
import { bsonType, byteAt, readLong, readText, sizeOfValue } from './stored-bson.js'
import type { Stored } from './stored-document.js'
import {
  createLayout,
  documentIdSlot,
  idSlot,
  localeSlot,
  revisionSlot,
  locate,
} from './stored-document.js'
import type { Reference, TypedReference } from '../../values/stored-types.js'

/** A document as the driver's object, for what is not read in place. */
export type Decoded = Readonly<Record<string, unknown>>

export function slotOf({ layout }: Stored, field: string): number {
  return layout.slots.get(field) ?? -1
}

/** The type of a field's value; null where there is no such field. */
export function typeAt({ bytes, places }: Stored, slot: number): number {
  const place = places[slot] ?? 0
  return place === 0 ? bsonType.null : byteAt(bytes, place)
}

/** Where the value of a field begins that the document has. */
export function offsetAt({ places, layout }: Stored, slot: number): number {
  return (places[slot] as number) + (layout.names[slot] as Buffer).length + 2
}

/** The values of an embedded field, which is one, a list, or nothing. */
export function embeddedAt(stored: Stored, slot: number): readonly number[] {
  const type = typeAt(stored, slot)
  if (type === bsonType.document) return [offsetAt(stored, slot)]
  return type === bsonType.array ? documentsIn(stored.bytes, offsetAt(stored, slot)) : []
}

/** Where the documents of an array begin. */
export function documentsIn(bytes: Buffer, array: number): readonly number[] {
  const starts: number[] = []
  let at = array + 4
  for (let type = byteAt(bytes, at); type !== 0; type = byteAt(bytes, at)) {
    while (byteAt(bytes, ++at) !== 0);
    at++
    if (type === bsonType.document) starts.push(at)
    at += sizeOfValue(type, bytes, at)
  }
  return starts
}

const referenceLayout = createLayout(['documentId', 'order', '__type'])

/** A reference; `__type` is null where it names none. */
type AnyReference = Reference & Readonly<{ __type: string | null }>

/** The references of a relation or media, in the order in which they are stored. */
export function referencesAt(stored: Stored, slot: number): readonly AnyReference[] {
  return embeddedAt(stored, slot).map((start) => {
    const reference = locate(stored.bytes, start, referenceLayout)
    const [documentId, __type] = [textAt(reference, 0) ?? '', textAt(reference, 2)]
    return { documentId, order: numberAt(reference, 1), __type }
  })
}

/** The same without their order: the documentIds that a field refers to. */
export function referredAt(stored: Stored, slot: number): readonly string[] {
  return embeddedAt(stored, slot).map(
    (start) => textAt(locate(stored.bytes, start, referenceLayout), 0) ?? '',
  )
}

/** The references of a polymorphic relation, in the order in which they are stored. */
export function typedReferencesAt(
  stored: Stored,
  slot: number,
): readonly Omit<TypedReference, 'order'>[] {
  return embeddedAt(stored, slot).map((start) => {
    const reference = locate(stored.bytes, start, referenceLayout)
    return { __type: textAt(reference, 2) ?? '', documentId: textAt(reference, 0) ?? '' }
  })
}

/** The text in a field; null where there is none. */
export function textAt(stored: Stored, slot: number): string | null {
  return typeAt(stored, slot) === bsonType.text
    ? readText(stored.bytes, offsetAt(stored, slot))
    : null
}

/** The number in a field; 0 where there is none. */
function numberAt(stored: Stored, slot: number): number {
  switch (typeAt(stored, slot)) {
    case bsonType.int:
      return stored.bytes.readInt32LE(offsetAt(stored, slot))
    case bsonType.double:
      return stored.bytes.readDoubleLE(offsetAt(stored, slot))
    case bsonType.long:
      return readLong(stored.bytes, offsetAt(stored, slot))
    default:
      return 0
  }
}

export function documentIdOf(entry: Stored): string {
  return textAt(entry, documentIdSlot) ?? ''
}

/** The locale of an entry; null where its type has none. */
export function localeOf(entry: Stored): string | null {
  return textAt(entry, localeSlot)
}

/** The number by which an entry's version is known. */
export function idOf(entry: Stored): number {
  return numberAt(entry, idSlot)
}

export function revisionOf(entry: Stored): number {
  return numberAt(entry, revisionSlot)
}

const componentLayout = createLayout(['__component'])

/** Of a dynamic zone: what is shown of the value that begins at `start`, undefined where it is not shown. */
export function zonePlanOf(
  { components }: ZonePlan,
  bytes: Buffer,
  start: number,
): ValuesPlan | undefined {
  const uid = textAt(locate(bytes, start, componentLayout), 0)
  return uid !== null && Object.hasOwn(components, uid) ? components[uid] : undefined
}

/** The whole document that begins at `start`. */
export function decode(bytes: Buffer, start: number): Decoded {
  const end = start + bytes.readInt32LE(start)
  // A biginteger beyond 2^53 would lose digits as a number.
  return BSON.deserialize(bytes.subarray(start, end), { useBigInt64: true })
}
