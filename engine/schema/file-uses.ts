import { isReadable, type MorphAttribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import type { ContentType, Structure } from './content-type.js'
import { morphTargets } from './morph-targets.js'
import { placeText } from './reference-places.js'
import { builtIn, type Registry } from './registry.js'
import { memoize } from '../values/memoize.js'

/** A media field in the entries of a type, with the path that leads to it. */
export type FilePlace = Readonly<{
  /**
   * The path as in the list of references of an entry: `sections[shared.hero].image` (docs/storage.md, "References").
   */
  text: string
  segments: readonly Segment[]
  /** Stored name of the media field. */
  field: string
}>

/** A content-type whose entries may use files. */
export type FileUser = Readonly<{ type: ContentType; places: readonly FilePlace[] }>

/**
 * `related` of a file: the entries of all types that use it (docs/decisions.md, "Where a file is used"). No definition
 * contains this attribute, and entries have no field for it. It is the inverse side of every media attribute.
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

/**
 * Returns the types that may use files, and their media fields. Private attributes are excluded. Otherwise, an entry in
 * `related` would reveal that one of its private attributes refers to the file.
 */
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
