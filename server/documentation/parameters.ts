import { maxValueLength, publicationFilters } from '../../engine/read/query/raw-query.js'
import { allows } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { JsonSchema } from '../http/documented.js'
import { filtersSchema } from './filter-schemas.js'
import type { Making } from './making.js'
import { fieldsSchema, populateSchema, sortSchema } from './populate-schemas.js'

/** A parameter, or a reference to one that many operations have. */
export type Parameter = JsonSchema

const count: JsonSchema = { type: 'integer', minimum: 0 }

/** Parameters that are alike for all content-types, by their names in `components.parameters`. */
export function sharedParameters({ settings }: Making): Readonly<Record<string, JsonSchema>> {
  const query = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
    name,
    in: 'query',
    description,
    schema,
  })
  const header = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
    name,
    in: 'header',
    description,
    schema,
  })
  const maxLimit = settings['api.rest.maxLimit']
  const text = { type: 'string' }
  return {
    documentId: {
      name: 'documentId',
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1 },
    },
    pagination: {
      ...query(
        'pagination',
        'A page by its number or by where it starts, and whether entries are counted',
        {
          type: 'object',
          properties: {
            page: { type: 'integer', minimum: 1 },
            pageSize: { type: 'integer', minimum: 1, maximum: maxLimit },
            start: count,
            limit: { type: 'integer', minimum: 1, maximum: maxLimit },
            withCount: { type: 'boolean' },
          },
          additionalProperties: false,
        },
      ),
      style: 'deepObject',
      explode: true,
    },
    locale: query(
      'locale',
      'A locale such as `fr`, several, or `*` for all; default: the default locale',
      { anyOf: [text, { type: 'array', items: text }] },
    ),
    writtenLocale: query('locale', 'The locale that is written; default: the default locale', text),
    ignoredLocale: query('locale', 'Passed over: entries of this type have no locales', text),
    deletedLocale: query(
      'locale',
      'The locale that is deleted, `*` = all; default: the default locale',
      text,
    ),
    draftStatus: {
      ...query('status', 'A draft is stored, which may lack what is required', { enum: ['draft'] }),
      required: true,
    },
    status: query('status', 'Which version is shown; drafts need a permission of their own', {
      enum: ['published', 'draft'],
      default: 'published',
    }),
    published: query('status', 'Which version is shown', { enum: ['published'] }),
    writtenStatus: query(
      'status',
      '`draft` stores a draft, which may lack what is required; else the document is published',
      { enum: ['published', 'draft'], default: 'published' },
    ),
    search: query(
      '_q',
      'Text that occurs in one of the texts of an entry, a number that equals one, or a documentId',
      {
        type: 'string',
        maxLength: maxValueLength,
      },
    ),
    publicationFilter: query(
      'publicationFilter',
      'How the draft and the published version of an entry relate',
      {
        enum: publicationFilters,
      },
    ),
    hasPublishedVersion: query(
      'hasPublishedVersion',
      'Whether a document is published in some locale',
      {
        type: 'boolean',
      },
    ),
    pLevel: query(
      'pLevel',
      'Everything is populated, so many levels deep, the entry itself counted',
      {
        type: 'integer',
        minimum: 1,
        maximum: settings['api.rest.deepPopulate.max'],
      },
    ),
    pIgnore: {
      ...query('pIgnore', 'What `pLevel` leaves out, on every level', {
        type: 'array',
        items: text,
      }),
      ...commas,
    },
    explain: query('explain', 'How the query is executed instead of its data', {
      enum: ['true', 'execution'],
    }),
    ifMatch: header(
      'If-Match',
      'The `ETag` of a GET of this document: 412 where it was changed since',
      text,
    ),
    ifNoneMatch: header(
      'If-None-Match',
      'The `ETag` of an earlier answer: 304 where nothing changed',
      text,
    ),
    idempotencyKey: header(
      'Idempotency-Key',
      'Repeated with it within 24 hours, the request creates nothing more',
      {
        type: 'string',
        pattern: '^[\\x21-\\x7e]{1,255}$',
      },
    ),
  }
}

const shared = (name: string): Parameter => ({ $ref: `#/components/parameters/${name}` })

/** `fields=title,slug`. */
const commas = { style: 'form', explode: false }

/** `filters[title]=rain`. */
const brackets = { style: 'deepObject', explode: true }

/** Which part of a type's entries an answer shows. */
export const shownParameters = (making: Making, type: ContentType): readonly Parameter[] => [
  making.parameter(`${making.nameOf(type)}Fields`, () => ({
    name: 'fields',
    in: 'query',
    description: 'What is shown; `id` and `documentId` are always there',
    schema: fieldsSchema(making, type),
    ...commas,
  })),
  making.parameter(`${making.nameOf(type)}Populate`, () => ({
    name: 'populate',
    in: 'query',
    description: 'Relations, media, components and dynamic zones that are shown, and what of them',
    schema: populateSchema(making, type),
    ...brackets,
  })),
]

/** Which entries a list holds, and in which order. */
export const listedParameters = (making: Making, type: ContentType): readonly Parameter[] => [
  filters(making, type),
  making.parameter(`${making.nameOf(type)}Sort`, () => ({
    name: 'sort',
    in: 'query',
    description: 'Attributes, or paths to some, each with `:asc` or `:desc`',
    schema: sortSchema(making, type),
    ...commas,
  })),
  shared('pagination'),
]

const filters = (making: Making, type: ContentType): Parameter =>
  making.parameter(`${making.nameOf(type)}Filters`, () => ({
    name: 'filters',
    in: 'query',
    description: 'What entries have to be like: `filters[title][$contains]=rain`',
    schema: filtersSchema(making, type),
    ...brackets,
  }))

/** What a GET of content takes. */
export function readParameters(
  making: Making,
  type: ContentType,
  what: 'list' | 'one' | 'groups',
): readonly Parameter[] {
  const { grant, fullAccess } = making.view
  const drafts = allows(grant, type.uid, 'findDrafts')
  return [
    ...(what === 'groups' ? [] : [...shownParameters(making, type), ...deepParameters]),
    ...(what === 'list' ? listedParameters(making, type) : [filters(making, type)]),
    ...(what === 'groups' ? [shared('pagination')] : []),
    shared('search'),
    shared('locale'),
    shared(drafts ? 'status' : 'published'),
    ...(drafts ? [shared('publicationFilter'), shared('hasPublishedVersion')] : []),
    ...(fullAccess ? [shared('explain')] : []),
    shared('ifNoneMatch'),
  ]
}

const deepParameters = [shared('pLevel'), shared('pIgnore')]

/** What says which of the document that was written is shown, and where it is written. */
export const writeParameters = (making: Making, type: ContentType): readonly Parameter[] => [
  ...shownParameters(making, type),
  ...deepParameters,
  localeParameter(type, 'writtenLocale'),
]

/** Of a type without locales it is passed over. */
export const localeParameter = (
  { localized }: ContentType,
  name: 'writtenLocale' | 'deletedLocale',
): Parameter => shared(localized ? name : 'ignoredLocale')

export const sharedParameter = shared
