import { isStored } from '../../engine/schema/attribute.js'
import { attributesIn } from '../../engine/schema/attributes-in.js'
import { isReferring } from '../../engine/schema/edge-attribute.js'
import { placeText } from '../../engine/schema/reference-places.js'
import type { Types } from '../../engine/schema/stored-places.js'

/** Whether relations or media are served that the definitions before did not have, and earlier ones had. */
export function bringsBack(served: Types, before: Types, earlier: Types): boolean {
  const known = placesIn(before)
  const former = placesIn(earlier)
  return [...placesIn(served)].some((place) => !known.has(place) && former.has(place))
}

function placesIn(types: Types): ReadonlySet<string> {
  const places = [...types.contentTypes.values()].flatMap((type) =>
    [...attributesIn(type, types)]
      .filter(({ attribute }) => isReferring(attribute) && isStored(attribute))
      .map(({ segments, attribute }) => `${type.uid} ${placeText(segments, attribute.storedAs)}`),
  )
  return new Set(places)
}
