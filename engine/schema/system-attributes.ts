import type { ScalarAttribute } from './attribute.js'
import type { ContentType } from './content-type.js'
import type { ScalarType } from '../values/scalar-type.js'

const system = (name: string, type: ScalarType, storedAs = name): ScalarAttribute => ({
  name,
  storedAs,
  type,
  required: false,
  private: false,
  localized: true,
  unique: false,
  index: false,
  enum: [],
})

/** Entries store the numeric record id as `_id`, components as `id`. */
export const idAttribute = system('id', 'integer', '_id')
export const componentIdAttribute = system('id', 'integer')
export const documentIdAttribute = system('documentId', 'string')
const localeAttribute = system('locale', 'string')

const trailing = ['createdAt', 'updatedAt', 'publishedAt'].map((name) => system(name, 'datetime'))
const trailingLocalized = [...trailing, localeAttribute]

/** Shown before a type's own attributes (docs/internals/decisions.md, "Order of members"). */
export const leadingAttributes: readonly ScalarAttribute[] = [idAttribute, documentIdAttribute]

/** Returns the attributes that are shown after a type's own (docs/internals/decisions.md, "Order of members"). */
export function trailingAttributes({ localized, hidden }: ContentType): readonly ScalarAttribute[] {
  const all = localized ? trailingLocalized : trailing
  return hidden === undefined ? all : all.filter(({ name }) => !hidden.has(name))
}

const byName = new Map(
  [...leadingAttributes, ...trailing].map((attribute) => [attribute.name, attribute]),
)
const byNameLocalized = new Map([...byName, [localeAttribute.name, localeAttribute]])

/** As in Strapi, `options.privateAttributes` can hide these. */
export const hideable: ReadonlySet<string> = new Set([
  ...trailingLocalized.map(({ name }) => name),
  'createdBy',
  'updatedBy',
  'localizations',
])

/** Returns `id`, `documentId`, `createdAt`, `updatedAt`, `publishedAt` and, if localized, `locale`, by name. */
export const systemAttributes = (localized: boolean): ReadonlyMap<string, ScalarAttribute> =>
  localized ? byNameLocalized : byName

export function systemAttribute(type: ContentType, name: string): ScalarAttribute | undefined {
  const attribute = systemAttributes(type.localized).get(name)
  return attribute !== undefined && type.hidden?.has(name) === true
    ? { ...attribute, private: true }
    : attribute
}
