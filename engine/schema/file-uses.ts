import { isReadable, type MorphAttribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import type { ContentType, Structure } from './content-type.js'
import { morphTargets } from './morph-targets.js'
import { placeText } from './reference-places.js'
import { builtIn, type Registry } from './registry.js'
import { memoize } from '../values/memoize.js'

/** A media field, and the path to it from a content-type. */
export type FilePlace = Readonly<{
  /** As in an entry's list of references: `sections[shared.hero].image` (docs/internals/storage.md, "References"). */
  text: string
  segments: readonly Segment[]
  field: string
}>

/** A content-type with media fields. */
export type FileUser = Readonly<{ type: ContentType; places: readonly FilePlace[] }>

/**
 * All entries that use a file (docs/internals/decisions.md, "Where a file is used"). This is the inverse side of every
 * media field, so it has no definition and no stored field.
 */
export const related: MorphAttribute = Object.freeze({
  type: 'morph',
  name: 'related',
  storedAs: 'documentId',
  many: true,
  required: false,
  private: false,
  localized: false,
})

export const isFile = ({ uid }: Structure): boolean => uid === builtIn.file

/** Omits private fields, so that a file's `related` does not reveal entries that use the file in a private field. */
export const fileUsers = memoize((registry: Registry): readonly FileUser[] =>
  morphTargets(registry).flatMap((type) => {
    const places = [...attributesIn(type, registry, isReadable)].flatMap(
      ({ segments, attribute }) => {
        const { type, storedAs: field } = attribute
        return type === 'media' ? { text: placeText(segments, field), segments, field } : []
      },
    )
    return places.length === 0 ? [] : { type, places }
  }),
)
