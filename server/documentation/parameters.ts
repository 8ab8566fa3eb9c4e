import { maxValueLength, publicationFilters } from '../../engine/read/parse/raw-query.js'
import { allows } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { flag, fromOne, list, text } from '../http/routes/json-schemas.js'
import { closedObject, count } from './closed-object.js'
import { filtersSchema } from './filter-schemas.js'
import type { DocumentBuilder } from './document-builder.js'
import { fieldsSchema, populateSchema, sortSchema } from './populate-schemas.js'

/** Serializes lists as `fields=title,slug`. */
export const commas = { style: 'form', explode: false }

/** Serializes objects as `filters[title]=rain`. */
const brackets = { style: 'deepObject', explode: true }

const parameterIn =
  (place: 'query' | 'header') =>
  (name: string, description: string, schema: JsonSchema, style?: typeof commas): JsonSchema => ({
    name,
    in: place,
    description,
    schema,
    ...style,
  })

export const queryParameter = parameterIn('query')
const header = parameterIn('header')

export const pathParameter = (name: string | undefined): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', minLength: 1 },
})

/** Returns the parameters that all content-types share, by name. */
export function sharedParameters({ settings }: DocumentBuilder): JsonSchemas {
  const size = { ...fromOne, maximum: settings['api.rest.maxLimit'] }
  const statuses = { enum: ['published', 'draft'], default: 'published' }
  return {
    documentId: pathParameter('documentId'),
    pagination: queryParameter(
      'pagination',
      'The page, by number and size or by start and limit, and whether to count entries',
      closedObject({ page: fromOne, pageSize: size, start: count, limit: size, withCount: flag }),
      brackets,
    ),
    locale: queryParameter(
      'locale',
      'A locale such as `fr`, several locales, or `*` for all; default: the default locale',
      { anyOf: [text, list(text)] },
    ),
    fallback: queryParameter(
      'fallback',
      'Whether an entry without a version in the locale is shown in the first of the fallback locales that it has; default: `api.rest.localeFallback`',
      flag,
    ),
    writtenLocale: queryParameter(
      'locale',
      'The locale to write; default: the default locale',
      text,
    ),
    ignoredLocale: queryParameter(
      'locale',
      'The locale of related entries. This content-type has no locales',
      text,
    ),
    deletedLocale: queryParameter(
      'locale',
      'The locale to delete, or `*` for all; default: the default locale',
      text,
    ),
    draftStatus: {
      ...queryParameter('status', 'Stores a draft, which can lack required attributes', {
        enum: ['draft'],
      }),
      required: true,
    },
    status: queryParameter(
      'status',
      'The version to show. Drafts need a separate permission',
      statuses,
    ),
    published: queryParameter('status', 'The version to show', { enum: ['published'] }),
    writtenStatus: queryParameter(
      'status',
      '`draft` stores a draft, which can lack required attributes; otherwise the document is published',
      statuses,
    ),
    search: queryParameter(
      '_q',
      'Text to find in the text attributes of an entry, the value of a number, or a documentId',
      { ...text, maxLength: maxValueLength },
    ),
    publicationFilter: queryParameter(
      'publicationFilter',
      'Filters by the relation between the draft and the published version of an entry',
      { enum: publicationFilters },
    ),
    hasPublishedVersion: queryParameter(
      'hasPublishedVersion',
      'Filters by whether a document is published in any locale',
      flag,
    ),
    pLevel: queryParameter(
      'pLevel',
      'Populates everything to this number of levels, including the entry itself',
      { ...fromOne, maximum: settings['api.rest.deepPopulate.max'] },
    ),
    pIgnore: queryParameter(
      'pIgnore',
      'Attributes that `pLevel` leaves out, on all levels',
      list(text),
      commas,
    ),
    explain: queryParameter('explain', 'Shows the execution of the query instead of its data', {
      enum: ['true', 'execution'],
    }),
    ifMatch: header(
      'If-Match',
      'The `ETag` of a GET of this document. If the document has changed since, the response is 412',
      text,
    ),
    ifNoneMatch: header(
      'If-None-Match',
      'The `ETag` of an earlier response. If nothing has changed since, the response is 304',
      text,
    ),
    idempotencyKey: header(
      'Idempotency-Key',
      'Key for repeating this request: if it is repeated within 24 hours with the same key, nothing is created twice',
      { ...text, pattern: '^[\\x21-\\x7e]{1,255}$' },
    ),
  }
}

/** Returns a reference to a shared parameter. */
export const sharedParameter = (name: string): JsonSchema => ({
  $ref: `#/components/parameters/${name}`,
})

const typed = {
  Fields: {
    description: 'Attributes to show. `id` and `documentId` are always shown',
    schemaOf: fieldsSchema,
    style: commas,
  },
  Populate: {
    description: 'Relations, media, components and dynamic zones to show, and their attributes',
    schemaOf: populateSchema,
    style: brackets,
  },
  Filters: {
    description: 'Conditions for entries: `filters[title][$contains]=rain`',
    schemaOf: filtersSchema,
    style: brackets,
  },
  Sort: {
    description: 'Attributes, or paths to attributes, each with `:asc` or `:desc`',
    schemaOf: sortSchema,
    style: commas,
  },
}

const typedParameter = (
  making: DocumentBuilder,
  type: ContentType,
  name: keyof typeof typed,
): JsonSchema =>
  making.parameter(making.nameOf(type) + name, () => {
    const { description, schemaOf, style } = typed[name]
    return queryParameter(name.toLowerCase(), description, schemaOf(making, type), style)
  })

/** Returns the parameters that select the parts of an entry to show. */
export const shownParameters = (
  making: DocumentBuilder,
  type: ContentType,
): readonly JsonSchema[] => [
  typedParameter(making, type, 'Fields'),
  typedParameter(making, type, 'Populate'),
]

/** Returns the parameters that select and sort the entries of a list. */
export const listedParameters = (
  making: DocumentBuilder,
  type: ContentType,
): readonly JsonSchema[] => [
  typedParameter(making, type, 'Filters'),
  typedParameter(making, type, 'Sort'),
  sharedParameter('pagination'),
]

/** Returns the parameters of a GET request for content: a list, one entry, or groups. */
export function readParameters(
  making: DocumentBuilder,
  type: ContentType,
  what: 'list' | 'one' | 'groups',
): readonly JsonSchema[] {
  const { grant, fullAccess } = making.view
  const drafts = allows(grant, type.uid, 'findDrafts')
  return [
    ...(what === 'groups' ? [] : [...shownParameters(making, type), ...deepParameters]),
    ...(what === 'list'
      ? listedParameters(making, type)
      : [typedParameter(making, type, 'Filters')]),
    ...(what === 'groups' ? [sharedParameter('pagination')] : []),
    sharedParameter('search'),
    sharedParameter('locale'),
    sharedParameter('fallback'),
    sharedParameter(drafts ? 'status' : 'published'),
    ...(drafts
      ? [sharedParameter('publicationFilter'), sharedParameter('hasPublishedVersion')]
      : []),
    ...(fullAccess ? [sharedParameter('explain')] : []),
    sharedParameter('ifNoneMatch'),
  ]
}

const deepParameters = [sharedParameter('pLevel'), sharedParameter('pIgnore')]

/** Returns the parameters of a write: its locale, and what the response shows. */
export const writeParameters = (
  making: DocumentBuilder,
  type: ContentType,
): readonly JsonSchema[] => [
  ...shownParameters(making, type),
  ...deepParameters,
  localeParameter(type, 'writtenLocale'),
  sharedParameter('fallback'),
]

/** For a type without locales, the parameter selects only the locale of related entries. */
export const localeParameter = (
  { localized }: ContentType,
  name: 'writtenLocale' | 'deletedLocale',
): JsonSchema => sharedParameter(localized ? name : 'ignoredLocale')
