import { fail } from '../../errors.js'
import { isObject } from '../../values/is-object.js'
import type { Repeated, RepeatedName } from '../body/keys.js'
import { restricted } from '../body/keys.js'
import { parameterConflict } from '../body/failure.js'
import type { Version, Versions } from '../change/change.js'
import { versionIn } from '../change/change.js'
import type { SaveRequest } from '../change/resolve-change.js'

type Request = Pick<SaveRequest, 'type' | 'documentId' | 'locale' | 'publish'>

/**
 * Checks that keys which Quire sets itself (`id`, `createdAt` …) have the same values as in the draft or published
 * version (docs/internals/decisions.md, "Sending back what was read").
 * @param ignored if given, keys that contradict a query parameter are ignored, as in Strapi
 * @throws 400 that names the key, or the query parameter to use instead
 */
export function checkRepeated(
  request: Request,
  repeated: Repeated,
  versions: Versions,
  ignored?: (path: string) => void,
): void {
  const { locale } = request
  const own = [versions.current, versions.published].flatMap((all) => versionIn(all, locale) ?? [])
  const stored: StoredVersions = { ...request, versions, own }
  for (const [name, value] of Object.entries(repeated)) {
    const key = name as RepeatedName
    if (checks[key](value, stored)) continue
    if (ignored === undefined || !parameterNames.has(key))
      throw refusals[key]?.() ?? restricted([key])
    ignored(`data.${key}`)
  }
}

/** Keys whose values query parameters determine. */
const parameterNames: ReadonlySet<RepeatedName> = new Set(['publishedAt', 'locale'] as const)

type StoredVersions = Request & Readonly<{ versions: Versions; own: readonly Version[] }>

const checks: Readonly<Record<RepeatedName, (value: unknown, stored: StoredVersions) => boolean>> =
  {
    id: (value, { own }) => own.some(({ _id }) => _id === value || String(_id) === value),
    documentId: (value, { documentId, versions }) =>
      versions.current.length > 0 && value === documentId,
    createdAt: (value, { own }) => own.some(({ createdAt }) => isTime(value, createdAt)),
    updatedAt: (value, { own }) => own.some(({ updatedAt }) => isTime(value, updatedAt)),
    createdBy: (value, { own }) => own.some((version) => isWriter(value, version['createdBy'])),
    updatedBy: (value, { own }) => own.some((version) => isWriter(value, version['updatedBy'])),
    publishedAt: (value, { type, own, publish }) =>
      value === null
        ? type.draftAndPublish && !publish
        : own.some(({ publishedAt }) => isTime(value, publishedAt)),
    locale: (value, { type, locale }) => !type.localized || value === locale,
    localizations: (value, stored) => isLocalizations(value, stored),
  }

const refusals: { readonly [K in RepeatedName]?: () => Error } = {
  id: () => fail('invalid-key', { key: 'id' }, { key: 'id', source: 'body' }),
  documentId: () =>
    fail('invalid-key', { key: 'documentId' }, { key: 'documentId', source: 'body' }),
  publishedAt: () => parameterConflict('publishedAt'),
  locale: () => parameterConflict('locale'),
}

const isTime = (value: unknown, time: Date | null | undefined): boolean =>
  typeof value === 'string' && time instanceof Date && Date.parse(value) === time.getTime()

/** Whether a value names the stored creator: a populated object, a documentId, or null if there is none. */
function isWriter(value: unknown, stored: unknown): boolean {
  const documentId = isObject(stored) ? stored['documentId'] : undefined
  if (value === null || documentId === undefined) return value === null && documentId === undefined
  return (isObject(value) ? value['documentId'] : value) === documentId
}

/** Whether a value is a list of other existing locales of the document, as in responses. */
function isLocalizations(
  value: unknown,
  { documentId, versions, locale: own }: StoredVersions,
): boolean {
  const given: unknown = isObject(value) ? value['data'] : value
  if (!Array.isArray(given)) return false
  const all = [...versions.current, ...versions.published]
  return given.every((item: unknown) => {
    if (!isObject(item) || item['documentId'] !== documentId) return false
    const { id } = item
    return all.some((version) => version.locale !== own && (id === undefined || version._id === id))
  })
}
