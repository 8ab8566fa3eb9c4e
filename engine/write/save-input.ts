import type { ContentType } from '../schema/content-type.js'
import type { Repeated, Unwritable } from './body/keys.js'
import type { Body } from './body/read-body.js'
import type { WriteContext } from './write-context.js'

/** The members of `WriteContext` that a save uses. */
type Known = Pick<
  WriteContext,
  | 'db'
  | 'registry'
  | 'locked'
  | 'actor'
  | 'locales'
  | 'time'
  | 'timeline'
  | 'journal'
  | 'agreed'
  | 'transactions'
  | 'publishingMs'
  | 'holdsLocale'
  | 'checkPatterns'
  | 'requiredRelations'
  | 'enforceAllowedTypes'
  | 'generateUids'
  | 'privateFiles'
  | 'ignored'
  | 'dryRun'
>

/** A document to write in one locale. Only the keys of its body have been checked. */
export type SaveInput = Known &
  Readonly<{
    type: ContentType
    documentId: string
    locale: string | null
    /** Locale of localized targets and owners if the type itself is not localized. */
    targetLocale: string
    publish: boolean
    body: Body
    /** Keys that Quire sets itself. They may only repeat the stored values. */
    repeated: Repeated
    /** Values for attributes that are not writable. */
    unwritable?: readonly Unwritable[]
    ifRevision?: number | undefined
    /**
     * What must exist before the write. `new`: nothing, because the documentId was just generated. `nothing`: no
     * version of the document. `document`: a version in any locale. `version`: the draft in this locale. `anything`: no
     * requirement.
     */
    expects: 'new' | 'nothing' | 'document' | 'version' | 'anything'
  }>

/** Result of a write. */
export type Saved = Readonly<{
  id: number
  revision: number
  /** The version that the request refers to, as BSON. Undefined if it would have to be read first. */
  stored?: Uint8Array | undefined
}>
