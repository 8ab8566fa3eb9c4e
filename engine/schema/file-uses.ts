import { isReadable, type MorphAttribute } from './attribute.js'
import { attributesIn, type Segment } from './attributes-in.js'
import type { ContentType, Structure } from './content-type.js'
import { morphTargets } from './morph-targets.js'
import { placeText } from './reference-places.js'
import { builtIn, type Registry } from './registry.js'
import { remember } from '../values/remember.js'

/** A place of a type's entries in which media may be. */
export type FilePlace = Readonly<{
  /** As in what an entry lists: `sections[shared.hero].image` (docs/storage.md, "References"). */
  text: string
  segments: readonly Segment[]
  /** Stored name of the media field. */
  field: string
}>

/** A content-type whose entries may use files. */
export type FileUser = Readonly<{ type: ContentType; places: readonly FilePlace[] }>

/**
 * `related` of a file: the entries that use it, of all types (docs/decisions.md, "Where a file is used"). It is in no
 * definition and no entry has a field for it: it is the other side of every media attribute.
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
 * The types that files may be used in, and where, by attributes that everybody may see: who is shown an entry for
 * what a private one refers to would learn what that holds.
 */
export const fileUsers = remember((registry: Registry): readonly FileUser[] =>
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
