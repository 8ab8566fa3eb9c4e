import { isDeepStrictEqual } from 'node:util'
import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { referencePlaces } from '../../schema/reference-places.js'
import { storedTypesOf, wholeType } from '../../schema/whole-types.js'
import type { Change, InverseChange, TakenTargets, Version, Versions } from './change.js'
import { referencesIn, versionIn } from './change.js'
import { pendingAfter } from './pending-edges.js'
import { checkPrecondition } from './precondition.js'
import type { Body } from '../body/read-body.js'
import { addressStore, type PrivateFiles } from './store-address.js'
import type { SharedCopy } from './shared-attributes.js'
import { copyShared, nextStamp, sharedFields } from './shared-attributes.js'
import type { Hashes } from './store-scalar.js'
import { storeStructure, viewStructure } from './store-structure.js'
import type { FindTarget } from '../body/targets.js'
import type { Failure } from '../body/failure.js'
import type { Fields } from '../../values/stored-types.js'

/** A request to write one document in one locale, checked as far as is possible without the stored versions. */
export type SaveRequest = Readonly<{
  type: ContentType
  registry: Registry
  documentId: string
  locale: string | null
  locales: ReadonlySet<string>
  publish: boolean
  body: Body
  find: FindTarget
  /** For example, for targets that do not exist. */
  targetFailures: readonly Failure[]
  actor: string | null
  /** From `If-Match` (docs/internals/decisions.md, "Conditional writes"). */
  ifRevision?: number | undefined
  publishingMs?: number | undefined
  requiredRelations?: boolean | undefined
  privateFiles?: PrivateFiles | undefined
}>

/** A request with the stored versions of its document. */
export type OpenSave = Readonly<{
  request: SaveRequest
  versions: Versions
  before: Version | undefined
  /** Shared values that a new locale copies from other locales. Empty if the write adds no locale. */
  copy: SharedCopy
}>

/** @throws 412 if `If-Match` names another revision (docs/internals/decisions.md, "Conditional writes") */
export function openSave(request: SaveRequest, versions: Versions): OpenSave {
  const { type, registry, locale, ifRevision } = request
  checkPrecondition(request, versions, ifRevision)
  const before = versionIn(versions.current, locale)
  const copy = copyShared(wholeType(registry, type), before ? [] : versions.current)
  return { request, versions, before, copy }
}

/** Determines everything that a validated request changes. */
export function resolveChange(
  { request, versions, before, copy }: OpenSave,
  validated: Body,
  inverse: readonly InverseChange[],
  given: Readonly<{
    hashes: Hashes
    takeComponentId: () => number
    now: number
    connectedAt: number
  }>,
): Change {
  const { type, registry, body, find, publish } = request
  const whole = wholeType(registry, type)
  const copied = new Set(Object.keys(copiedValues(request, copy)))
  const values = Object.fromEntries(
    Object.entries(validated).filter(([name]) => !copied.has(name) || Object.hasOwn(body, name)),
  )
  const storeAddress = addressStore(request, versions, request.privateFiles)
  const context = { registry, find, storeAddress, ...given }
  const joins = before === undefined && !isEmpty(copy.fields)
  const stored = joins
    ? {
        ...storeStructure(type, {}, undefined, context),
        ...storeStructure(type, values, copy.fields, context),
        ...keepCopied(copy.fields, body, type),
      }
    : storeStructure(type, values, before, context, versionIn(versions.published, request.locale))
  const content = { ...attributesOf(whole, before), ...stored }
  // In a single type, a concurrent write can add a locale to the document, because all writers use the same documentId.
  const createsDocument = versions.current.length === 0 && type.kind === 'collectionType'
  const pending = type.draftAndPublish ? pendingAfter(before?._pending ?? [], inverse) : []
  return {
    type: whole,
    documentId: request.documentId,
    locale: request.locale,
    before,
    createsDocument,
    hasOneLocale: hasOneLocale(request, versions) || undefined,
    undisturbed: isUndisturbed(request) || undefined,
    publish: publish && type.draftAndPublish,
    conditional: request.ifRevision !== undefined,
    common: sharedFields(whole),
    values: stored,
    content,
    ...(createsDocument
      ? { stamps: {}, shared: [] }
      : stampsAfter(request, before, copy, stored, given.now)),
    inverse,
    takeOvers: takeOversOf(whole, before, content),
    pending,
    settles: publish && pending.length > 0,
    places: referencePlaces(whole, storedTypesOf(registry)),
    actor: request.actor,
    now: given.now,
    connectedAt: given.connectedAt,
  }
}

/**
 * Whether the document has no other locale and gets none meanwhile. If no other process writes (`publishingMs` is 0),
 * all other writes of the document wait in a queue.
 */
const hasOneLocale = (
  { locale, publishingMs }: SaveRequest,
  { current, published }: Versions,
): boolean =>
  publishingMs === 0 && [...current, ...published].every((version) => version.locale === locale)

/**
 * Whether all other changes of the document wait in its queue, because no other process writes. False for localized
 * types, because deleting a locale bypasses the queue.
 */
const isUndisturbed = ({ locale, publishingMs }: SaveRequest): boolean =>
  publishingMs === 0 && locale === null

/** Returns the targets that this write connects in exclusive relations. They must be removed from other owners. */
export function takeOversOf(
  type: ContentType,
  before: Version | undefined,
  content: Fields,
): readonly TakenTargets[] {
  return [...type.attributes.values()].flatMap((attribute) => {
    if (attribute.type !== 'relation' || !attribute.owner || !attribute.exclusive) return []
    const had = new Set(
      referencesIn(before?.[attribute.storedAs]).map(({ documentId }) => documentId),
    )
    const all = referencesIn(content[attribute.storedAs])
    const targets = all.filter(({ documentId }) => !had.has(documentId))
    return all.length === 0 ? [] : [{ attribute, targets, all }]
  })
}

function attributesOf(type: ContentType, version: Fields | undefined): Fields {
  if (version === undefined) return {}
  return Object.fromEntries(
    [...type.attributes.values()]
      .filter(({ storedAs }) => storedAs in version)
      .map(({ storedAs }) => [storedAs, version[storedAs]]),
  )
}

/** Returns the values that a new locale copies from other locales, by attribute name, for validation. */
export function copiedValues({ type, registry }: SaveRequest, copy: SharedCopy): Body {
  if (isEmpty(copy.fields)) return {}
  const view = viewStructure(type, copy.fields, registry, new Map())
  return Object.fromEntries(
    [...type.attributes.values()]
      .filter(({ storedAs }) => storedAs in copy.fields)
      .map(({ name }) => [name, view[name]]),
  )
}

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0

function keepCopied(fields: Fields, body: Body, type: ContentType): Fields {
  const written = new Set(
    [...type.attributes.values()]
      .filter(({ name }) => Object.hasOwn(body, name))
      .map(({ storedAs }) => storedAs),
  )
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !written.has(field)))
}

/**
 * Returns the shared attributes that this write changes, and all stamps that the version has afterwards
 * (docs/internals/storage.md, "Rule 5: the latest value wins").
 */
function stampsAfter(
  { type, locale, locales }: SaveRequest,
  before: Version | undefined,
  copy: SharedCopy,
  stored: Fields,
  now: number,
): Pick<Change, 'stamps' | 'shared'> {
  const was: Fields = before ?? copy.fields
  const stamps: Record<string, number> = { ...(before?._stamps ?? copy.stamps) }
  const shared = sharedFields(type).filter(
    (field) => field in stored && !isDeepStrictEqual(stored[field], was[field] ?? null),
  )
  for (const field of shared) stamps[field] = nextStamp(stamps[field] ?? 0, now, locale, locales)
  return { stamps, shared }
}
