import type { ContentType } from '../schema/content-type.js'
import type { Repeated, Unwritable } from './body/keys.js'
import type { Body } from './body/read-body.js'
import type { WriteContext } from './write-context.js'

/** The parts of a write's context that saving needs. */
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

/** One document to write in one locale. Its body has been read and its keys are valid. */
export type SaveInput = Known &
  Readonly<{
    type: ContentType
    documentId: string
    locale: string | null
    /** Locale of targets and owners, if they are localized and the type is not. */
    targetLocale: string
    publish: boolean
    body: Body
    /** Keys of the body besides its attributes. */
    repeated: Repeated
    /** Values of the body for attributes that are not writable; absent = none. */
    unwritable?: readonly Unwritable[]
    ifRevision?: number | undefined
    /**
     * What must exist. `new`: nothing, because the documentId was just created. `nothing`: no version of the document.
     * `document`: a version in some locale. `version`: the draft in this locale. `anything`: no requirement.
     */
    expects: 'new' | 'nothing' | 'document' | 'version' | 'anything'
  }>

/** Result of a write. */
export type Saved = Readonly<{
  id: number
  revision: number
  /** The addressed version as BSON, if it is known without another read. */
  stored?: Uint8Array | undefined
}>
