import { oneByOne } from './database/unit-of-work.js'
import { discardDraft, unpublishDocument } from './write/act-on-document.js'
import {
  type BodyParameters,
  checkBodyParameters,
  resolveDeleteLocale,
  resolveWriteLocale,
} from './write/body/parameters.js'
import { checkDraftOnly, readKeys, unknownKeys } from './write/body/keys.js'
import {
  checkSize,
  placeNumbers,
  type Body,
  readBody,
  withDefaults,
} from './write/body/read-body.js'
import { concealStored, isSentWhole } from './write/rules/conceal-stored.js'
import type { Failure } from './write/body/failure.js'
import { holdsPassword } from './write/body/passwords.js'
import { createPatternAnswers } from './write/rules/patterns.js'
import type { RuleMode } from './write/rules/required.js'
import { validate } from './write/rules/validate.js'
import { createId } from './values/create-id.js'
import { fail } from './errors.js'
import { closeSingle, findSingle, openSingle } from './write/load/single-types.js'
import { removeDocument } from './write/remove-document.js'
import { readVersions } from './write/load/lookups.js'
import { saveDocument } from './write/save-document.js'
import { wantedUids } from './write/generate-uids.js'
import type { Saved, SaveInput, WriteContext } from './write/write-context.js'
import type { WriteJournal as Log } from './write/execute/record-in-flight.js'
import { recordInFlight } from './write/execute/record-in-flight.js'
import type { AgreedDraft, AgreedDrafts } from './write/execute/take-off-marks.js'
import { takeOffMarks } from './write/execute/take-off-marks.js'
import { inStageNow } from './timeline.js'
import type { ContentType, Status } from './schema/content-type.js'
import { collectionOf } from './schema/content-type.js'
import { builtIn, typeOf } from './schema/registry.js'
import { allows, type SavingVerb } from './schema/grant.js'

export type { WriteContext }

/**
 * Drafts whose `_modified` mark can be removed (docs/internals/storage.md, "Modified drafts"), and the function that is
 * called for them.
 */
export type { AgreedDraft, AgreedDrafts }
export { takeOffMarks }

/** Records the writes that a process has in flight, so that they can be repaired if it dies. */
type WriteJournal = Log

/** A write that has begun and not ended. */
export type InFlightWrite = Readonly<{
  journal: WriteJournal
  /** @param isCutOff whether the write may be incomplete, because of an error other than an `ApiError` */
  ended: (isCutOff: boolean) => void
}>

/**
 * Records that a locale is about to be deleted. A repair then finds the versions of concurrent writes whose process was
 * killed before it could remove them (docs/internals/storage.md, "Records of writes in flight").
 */
export async function noteDeletion(
  { db, registry, journal }: Pick<WriteContext, 'db' | 'registry' | 'journal'>,
  locale: Readonly<{ documentId: string; code: string }>,
): Promise<void> {
  const { uid } = typeOf(registry, builtIn.locale)
  const { documentId, code } = locale
  await recordInFlight(oneByOne(db), journal, { uid, documentId, lists: [], locale: code })
}

/** The version that a POST, PUT or DELETE addresses by its parameters. */
export type WriteScope = Readonly<{
  status: Status
  /** Default: the default locale. Ignored if the content-type is not localized. */
  locale?: string | undefined
  /** `status` and `locale` next to `data` in the request body. */
  bodyParameters?: BodyParameters | undefined
}>

/** `ifRevision` is the required revision (`If-Match`, docs/internals/decisions.md, "Conditional writes"). */
export type WriteOptions = Readonly<{ ifRevision?: number | undefined }>

/** The version that was written, to be read for the response. */
export type Written = Readonly<{
  documentId: string
  /** Record id of the version. */
  id: number
  locale: string | null
  status: Status
  revision: number
  /** The version as BSON. Undefined if it would have to be read first. */
  stored?: Uint8Array | undefined
}>

/** Each action on a document has its own endpoint (docs/internals/decisions.md, "Publication by its own endpoints"). */
export const documentActions = ['publish', 'unpublish', 'discard-draft'] as const
export type DocumentAction = (typeof documentActions)[number]

/**
 * Creates a document (`POST`).
 * @param data `data` in the request body, not yet validated
 * @param options.documentId default: a generated one
 * @throws ApiError 400 if the body or the scope is invalid
 */
export async function createDocument(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  data: unknown,
  options: Readonly<{ documentId?: string }> = {},
): Promise<Written> {
  const accepted = acceptBody(context, type, scope, data, 'create')
  const input = { ...accepted, body: withDefaults(accepted.body, type) }
  const { documentId } = options
  return documentId === undefined
    ? save(context, type, scope, { documentId: createId(), ...input, expects: 'new' })
    : save(context, type, scope, { documentId, ...input, expects: 'nothing' })
}

/**
 * Completes an interrupted create request. Does nothing if the document has been updated since.
 * @throws ApiError as `createDocument` does
 */
export async function resumeCreate(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  data: unknown,
  documentId: string,
): Promise<void> {
  const { current } = await readVersions(oneByOne(context.db), type, documentId)
  if (current.some(({ createdAt, updatedAt }) => updatedAt > createdAt)) return
  const { body } = acceptBody(context, type, scope, data, 'create')
  const whole = withDefaults(body, type)
  await save(context, type, scope, { documentId, body: whole, repeated: {}, expects: 'anything' })
}

/**
 * Updates the members of a document that `data` contains (`PUT`). Creates the version if the locale has none.
 * @throws ApiError 400, 404 for an unknown document, 409, 412
 */
export async function updateDocument(
  context: WriteContext,
  type: ContentType,
  documentId: string,
  scope: WriteScope,
  data: unknown,
  options: WriteOptions = {},
): Promise<Written> {
  const accepted = acceptBody(context, type, scope, data, 'update')
  return save(context, type, scope, { documentId, ...accepted, expects: 'document', ...options })
}

/** Updates or creates the document of a single type (`PUT`). */
export async function saveSingleDocument(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  data: unknown,
  options: WriteOptions = {},
): Promise<Written> {
  const accepted = acceptBody(context, type, scope, data, 'update')
  const collection = collectionOf(type, 'draft')
  const documentId = await openSingle(context.db, type.uid, collection, createId())
  return save(context, type, scope, { documentId, ...accepted, expects: 'anything', ...options })
}

/**
 * Deletes a document in one locale, or in all (`*`). Also succeeds if there is nothing to delete
 * (docs/internals/decisions.md, "What DELETE removes").
 * @throws ApiError 400 for `status=draft`, 412
 */
export async function deleteDocument(
  context: WriteContext,
  type: ContentType,
  documentId: string,
  scope: WriteScope,
  { ifRevision }: WriteOptions = {},
): Promise<void> {
  refuseDraft(type, scope)
  const locale = resolveDeleteLocale(type, scope.locale, context)
  const isGone = await removeDocument({ ...context, type, documentId, locale, ifRevision })
  if (isGone && type.kind === 'singleType') await closeSingle(context.db, type.uid, documentId)
}

/** Deletes the document of a single type. */
export async function deleteSingleDocument(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  options: WriteOptions = {},
): Promise<void> {
  refuseDraft(type, scope)
  const documentId = await findSingle(context.db, collectionOf(type, 'draft'))
  if (documentId !== undefined) await deleteDocument(context, type, documentId, scope, options)
  else if (options.ifRevision !== undefined) throw fail('precondition-failed')
}

/**
 * Publishes, unpublishes, or resets the draft to the published version. Ignores the status in `scope`.
 * @param documentId null for the document of a single type
 * @throws ApiError 404 if the document, the locale or the version to reset to does not exist; 400 if the draft cannot
 *   be published
 */
export async function actOnDocument(
  context: WriteContext,
  type: ContentType,
  documentId: string | null,
  scope: WriteScope,
  action: DocumentAction,
): Promise<Written> {
  const id = documentId ?? (await findSingle(context.db, collectionOf(type, 'draft')))
  const locale = resolveWriteLocale(type, scope.locale, context)
  if (id === undefined || !type.draftAndPublish) throw fail('not-found')
  if (action === 'publish')
    return save(
      context,
      type,
      { ...scope, status: 'published' },
      { documentId: id, body: {}, repeated: {}, expects: 'version' },
    )
  const act = action === 'unpublish' ? unpublishDocument : discardDraft
  const saved = await act({ ...context, type, documentId: id, locale })
  return written(id, locale, 'draft', saved)
}

/** A draft can only be deleted together with its document (docs/internals/decisions.md, "What DELETE removes"). */
function refuseDraft(type: ContentType, { status }: WriteScope): void {
  if (status === 'draft' && type.draftAndPublish)
    throw fail('validation', 'Cannot delete a draft document')
}

function acceptBody(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  data: unknown,
  verb: SavingVerb,
): Pick<SaveInput, 'body' | 'repeated' | 'unwritable'> {
  return inStageNow(context.timeline, 'body', () => {
    const given = readBody(data, () => holdsPassword(data, [type], context.registry))
    checkSize(given, type, context.registry)
    const { body, unknown, ...rest } = readKeys(given, type, context)
    if (unknown.length > 0)
      throw unknownKeys(unknown, findFailures(context, type, scope, body, verb))
    checkBodyParameters(scope.bodyParameters ?? {}, scope, type, context)
    if (type.draftAndPublish && !allows(context.grant, type.uid, verb))
      checkDraftOnly(body, type, context.registry)
    return { body: placeNumbers(body, type, context.registry), ...rest }
  })
}

function findFailures(
  { registry, requiredRelations, generateUids }: WriteContext,
  type: ContentType,
  { status }: WriteScope,
  body: Body,
  verb: SavingVerb,
): readonly Failure[] {
  const mode: RuleMode = {
    rules: type.draftAndPublish && status === 'draft' ? 'draft' : 'full',
    absent: verb === 'create' ? 'new' : 'keep',
    requiredRelations,
  }
  const values = placeNumbers(body, type, registry)
  const made = verb === 'create' && generateUids !== false ? wantedUids(type, body) : []
  const isMade = ({ path: [name, ...more] }: Failure): boolean =>
    more.length === 0 && made.some(({ attribute }) => attribute.name === name)
  const { failures } = validate(type, values, mode, registry, createPatternAnswers())
  const left = failures.filter((failure) => !isMade(failure))
  return concealStored(left, { type, registry }, isSentWhole(body))
}

async function save(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  input: Pick<
    SaveInput,
    'documentId' | 'body' | 'repeated' | 'unwritable' | 'expects' | 'ifRevision'
  >,
): Promise<Written> {
  const { locales, defaultLocale } = context
  const locale = resolveWriteLocale(type, scope.locale, context)
  const requested = scope.locale ?? ''
  const saved = await saveDocument({
    ...context,
    ...input,
    type,
    locale,
    targetLocale: locales.has(requested) ? requested : defaultLocale,
    publish: scope.status === 'published',
  })
  return written(input.documentId, locale, scope.status, saved)
}

function written(
  documentId: string,
  locale: string | null,
  status: Status,
  { id, revision, stored }: Saved,
): Written {
  return { documentId, id, locale, status, revision, stored }
}
