import type { ContentType } from '../schema/content-type.js'
import type { Repeated, Unwritable } from './body/keys.js'
import type { Body } from './body/read-body.js'
import type { WriteContext } from './write-context.js'

/** Of what every write knows, what saving needs. */
type Known = Pick<
  WriteContext,
  | 'db'
  | 'registry'
  | 'locked'
  | 'actor'
  | 'locales'
  | 'time'
  | 'timeline'
  | 'underway'
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

/** One document to write in one locale; its body was read and its keys are known. */
export type SaveInput = Known &
  Readonly<{
    type: ContentType
    documentId: string
    locale: string | null
    /** Where targets and owners are looked for, if the type is not localized and they are. */
    targetLocale: string
    publish: boolean
    body: Body
    /** What the body says of the entry beside its attributes. */
    repeated: Repeated
    /** What it says of attributes that are not writable; absent = nothing. */
    unwritable?: readonly Unwritable[]
    ifRevision?: number | undefined
    /**
     * What must be there: nothing because the documentId was made just now, nothing, the document in some
     * locale, the draft in this one, or anything.
     */
    expects: 'new' | 'nothing' | 'document' | 'version' | 'anything'
  }>

/** What a write left. */
export type Saved = Readonly<{
  id: number
  revision: number
  /** The version that was addressed, where it is known without reading it; BSON. */
  stored?: Uint8Array | undefined
}>
