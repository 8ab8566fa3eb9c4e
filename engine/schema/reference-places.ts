import { jsonTypes } from '../values/scalar-type.js'
import { stepText, type ReferencePlaces } from '../values/references.js'
import { isScalar, isStored } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import type { ContentType } from './content-type.js'
import type { Types } from './stored-places.js'

/** Cached, because a content-type never changes. */
const known = new WeakMap<ContentType, ReferencePlaces>()

/** Returns all fields that may refer to other entries (docs/internals/storage.md, "References"). */
export function referencePlaces(type: ContentType, types: Types): ReferencePlaces {
  const places = known.get(type) ?? findPlaces(type, types)
  known.set(type, places)
  return places
}

function findPlaces(type: ContentType, types: Types): ReferencePlaces {
  const attributes = [...type.attributes.values()]
  const holding = attributes.filter((attribute) => isStored(attribute) && !isScalar(attribute))
  const opaque = [...attributesIn(type, types)]
    .filter(({ attribute }) => jsonTypes.has(attribute.type))
    .map(({ segments, attribute }) => placeText(segments, attribute.storedAs))
  return {
    fields: new Set(holding.map(({ storedAs }) => storedAs)),
    opaque: new Set(opaque),
  }
}

/** Returns a path without the indexes of list items: `seo.image`, `sections[shared.hero].image`. */
export function placeText(segments: readonly Segment[], field: string): string {
  return [...segments.map((step) => stepText(step.field, step.component)), field].join('.')
}
