import type { Db } from 'mongodb'
import { ApiError } from '../../engine/errors.js'
import type { Executor } from '../../engine/read.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { Registry } from '../../engine/schema/registry.js'
import type {
  AgreedDrafts,
  InFlightWrite,
  WriteContext,
  WriteOptions,
  WriteScope,
} from '../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  deleteSingleDocument,
  resumeCreate,
  saveSingleDocument,
  updateDocument,
} from '../../engine/write.js'
import { refuseLocked } from '../../engine/write/write-context.js'
import type { LocaleSet } from '../services.js'
import type { Settings } from '../settings/settings.js'
import type { Documents, WriteRequest } from './documents.js'
import { claimBulk } from './idempotency/claim-bulk.js'
import { createOnce } from './idempotency/create-once.js'
import type { OwnWrites } from './own-writes.js'

/** Dependencies of writes. */
export type WriteParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  /** Returns the registry that contains a type. That may be a previous one. */
  registryOf: (type: ContentType) => Registry
  locales: () => LocaleSet
  /** Returns whether a locale exists and is not being deleted. */
  holdsLocale?: (code: string) => Promise<boolean>
  executor: Executor
  /** Undefined if all reads use the primary. */
  own: OwnWrites | undefined
  /** Checks values against patterns that may take long. */
  checkPatterns?: WriteContext['checkPatterns']
  /** Whether no other process writes to the database. */
  singleProcess?: boolean
  /**
   * Checks the signed links to private files that a write contains. An address that was written without a valid link is
   * never signed in responses.
   */
  privateFilesOf?: ((grant: Grant) => WriteContext['privateFiles']) | undefined
  /** Called when a write begins. Returns the write's journal. Default: writes have no journal. */
  begun?: (() => InFlightWrite) | undefined
  /** Called for drafts whose `_modified` mark can be removed; default: the marks stay. */
  agreed?: AgreedDrafts | undefined
  /** Called with the type's uid when a write has ended. */
  wrote?: ((uid: string) => void) | undefined
  /**
   * Called when a write begins to use the registry of its type. Returns a function to call when the write has ended.
   */
  pinRegistry?: (() => () => void) | undefined
}>

/** Creates the methods that write documents. */
export function createWrites(
  parts: WriteParts,
): Omit<Documents, 'find' | 'aggregate' | 'findOne' | 'prepareAnswer'> {
  const { db, settings, singleProcess = false } = parts
  return {
    create: (type, data, request) =>
      write(parts, type, request, (context, scope) => createDocument(context, type, scope, data)),
    createOnce: (type, data, request, key) => {
      const { status, locale = '' } = request
      return write(parts, type, request, (context, scope) =>
        createOnce(db, {
          key,
          fingerprint: [type.uid, status, locale, data],
          create: (documentId) => createDocument(context, type, scope, data, { documentId }),
          resume: (documentId) => resumeCreate(context, type, scope, data, documentId),
        }),
      )
    },
    claimBulk: (key, request) =>
      claimBulk(db, key, request, {
        leaseMs: lastStepsMs(settings),
        singleProcess,
      }),
    createGiven: (type, data, request, { documentId, isRepeated }) =>
      write(parts, type, request, async (context, scope) => {
        if (!isRepeated) return createDocument(context, type, scope, data, { documentId })
        await resumeCreate(context, type, scope, data, documentId)
        return { documentId }
      }),
    update: (type, documentId, data, request) =>
      write(parts, type, request, (context, scope, options) =>
        updateDocument(context, type, documentId, scope, data, options),
      ),
    saveSingle: (type, data, request) =>
      write(parts, type, request, (context, scope, options) =>
        saveSingleDocument(context, type, scope, data, options),
      ),
    delete: (type, documentId, request) =>
      write(parts, type, request, (context, scope, options) =>
        deleteDocument(context, type, documentId, scope, options),
      ),
    deleteSingle: (type, request) =>
      write(parts, type, request, (context, scope, options) =>
        deleteSingleDocument(context, type, scope, options),
      ),
    act: (type, documentId, action, request) =>
      write(parts, type, request, (context, scope) =>
        actOnDocument(context, type, documentId, scope, action),
      ),
  }
}

/** Runs a write, and reports its end. */
async function write<T>(
  parts: WriteParts,
  type: ContentType,
  request: WriteRequest,
  change: (context: WriteContext, scope: WriteScope, options: WriteOptions) => Promise<T>,
): Promise<T> {
  const begun = parts.begun?.()
  const known = parts.pinRegistry?.()
  let isCutOff = false
  try {
    request.time?.hold()
    // Read the locked types in the same tick as `pinRegistry` is called. A conversion then waits for every write that
    // is not rejected here.
    const { locked } = parts.registry()
    refuseLocked(locked, type.uid)
    const context = { ...writeContext(parts, type, request, begun), locked }
    const { status = 'published', locale, bodyParameters, ifRevision } = request
    return await change(context, { status, locale, bodyParameters }, { ifRevision })
  } catch (error) {
    isCutOff = !(error instanceof ApiError)
    throw error
  } finally {
    begun?.ended(isCutOff)
    parts.own?.wrote(request.client)
    parts.wrote?.(type.uid)
    known?.()
  }
}

/** Assumed maximum difference between the clocks of two processes, in milliseconds. */
const clocksMs = 10_000

/** Returns for how many milliseconds after its start a write may still send commands to the database. */
export const lastStepsMs = (settings: Settings): number =>
  settings['api.rest.writeTimeoutMs'] + clocksMs

function writeContext(
  parts: WriteParts,
  type: ContentType,
  { grant, actor, time, timeline, ignored, dryRun }: WriteRequest,
  begun: InFlightWrite | undefined,
): WriteContext {
  const { codes, default: defaultLocale } = parts.locales()
  const { db, settings, checkPatterns, holdsLocale, singleProcess = false } = parts
  const publishingMs = singleProcess ? 0 : lastStepsMs(settings)
  return {
    registry: parts.registryOf(type),
    db,
    grant,
    actor,
    locales: codes,
    defaultLocale,
    checkPatterns,
    holdsLocale,
    publishingMs,
    time,
    timeline,
    dryRun,
    ignored: settings['api.rest.unknownKeys'] === 'ignore' ? (ignored ?? unnoticed) : undefined,
    requiredRelations: settings['validation.requiredRelations'],
    enforceAllowedTypes: settings['upload.enforceAllowedTypes'],
    generateUids: settings['api.rest.generateUids'],
    transactions: true,
    journal: begun?.journal,
    agreed: parts.agreed,
    privateFiles: parts.privateFilesOf?.(grant),
  }
}

const unnoticed = (): void => undefined
