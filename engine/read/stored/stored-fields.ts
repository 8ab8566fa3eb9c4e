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

/** A document that the driver has decoded. */
export type Decoded = Readonly<Record<string, unknown>>

export function slotOf({ layout }: Stored, field: string): number {
  return layout.slots.get(field) ?? -1
}

/** Returns the BSON type of a field's value; that of null if there is no such field. */
export function typeAt({ bytes, places }: Stored, slot: number): number {
  const place = places[slot] ?? 0
  return place === 0 ? bsonType.null : byteAt(bytes, place)
}

/** Returns the offset of an existing field's value. */
export function offsetAt({ places, layout }: Stored, slot: number): number {
  return (places[slot] as number) + (layout.names[slot] as Buffer).length + 2
}

/** Returns the offsets of the documents in a field: one, several or none. */
export function embeddedAt(stored: Stored, slot: number): readonly number[] {
  const type = typeAt(stored, slot)
  if (type === bsonType.document) return [offsetAt(stored, slot)]
  return type === bsonType.array ? documentsIn(stored.bytes, offsetAt(stored, slot)) : []
}

/** Returns the offsets of the documents in an array. */
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

/** `__type` is null if the relation is not polymorphic. */
type AnyReference = Reference & Readonly<{ __type: string | null }>

/** Reads the references of a relation or media field, in stored order. */
export function referencesAt(stored: Stored, slot: number): readonly AnyReference[] {
  return embeddedAt(stored, slot).map((start) => {
    const reference = locate(stored.bytes, start, referenceLayout)
    const [documentId, __type] = [textAt(reference, 0) ?? '', textAt(reference, 2)]
    return { documentId, order: numberAt(reference, 1), __type }
  })
}

/** Reads the documentIds of a relation or media field, in stored order. */
export function referredAt(stored: Stored, slot: number): readonly string[] {
  return embeddedAt(stored, slot).map(
    (start) => textAt(locate(stored.bytes, start, referenceLayout), 0) ?? '',
  )
}

/** Reads the references of a polymorphic relation, in stored order. */
export function typedReferencesAt(
  stored: Stored,
  slot: number,
): readonly Omit<TypedReference, 'order'>[] {
  return embeddedAt(stored, slot).map((start) => {
    const reference = locate(stored.bytes, start, referenceLayout)
    return { __type: textAt(reference, 2) ?? '', documentId: textAt(reference, 0) ?? '' }
  })
}

/** Reads a string; null if there is none. */
export function textAt(stored: Stored, slot: number): string | null {
  return typeAt(stored, slot) === bsonType.text
    ? readText(stored.bytes, offsetAt(stored, slot))
    : null
}

/** Reads a number; 0 if there is none. */
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

/** Reads the locale of an entry; null if its type is not localized. */
export function localeOf(entry: Stored): string | null {
  return textAt(entry, localeSlot)
}

/** Reads the numeric id of an entry version. */
export function idOf(entry: Stored): number {
  return numberAt(entry, idSlot)
}

export function revisionOf(entry: Stored): number {
  return numberAt(entry, revisionSlot)
}

const componentLayout = createLayout(['__component'])

/** Returns the plan of the component value at `start`; undefined if it is not shown. */
export function zonePlanOf(
  { components }: ZonePlan,
  bytes: Buffer,
  start: number,
): ValuesPlan | undefined {
  const uid = textAt(locate(bytes, start, componentLayout), 0)
  return uid !== null && Object.hasOwn(components, uid) ? components[uid] : undefined
}

/** Decodes the document at `start`. */
export function decode(bytes: Buffer, start: number): Decoded {
  const end = start + bytes.readInt32LE(start)
  // A number would lose digits beyond 2^53.
  return BSON.deserialize(bytes.subarray(start, end), { useBigInt64: true })
}
