import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import type { SchemaProblem } from '../../engine/schema/schema-error.js'
import { isObject, objectOf } from '../../engine/values/is-object.js'
import { scalarTypes, type ScalarType } from '../../engine/values/scalar-type.js'
import { countText } from '../../engine/values/count-text.js'

/** Stored type of each custom field, by name; also the format of the setting `schema.customFields`. */
export type CustomFields = Readonly<Record<string, string>>

/**
 * Returns the types of custom fields in definitions from the database or a Strapi export. Omits `json`, the default for
 * unknown fields.
 */
export const fieldsOf = (
  definitions: readonly Pick<SourcedDefinition, 'definition'>[],
): CustomFields =>
  Object.fromEntries(
    definitions.flatMap(({ definition }) =>
      Object.values(objectOf(definition.attributes)).flatMap((attribute) => {
        const { customField, type } = objectOf(attribute)
        return typeof customField === 'string' && isScalarType(type) && type !== 'json'
          ? [[customField, type] as const]
          : []
      }),
    ),
  )

const isScalarType = (type: unknown): type is ScalarType =>
  (scalarTypes as readonly unknown[]).includes(type)

/** Returns whether the type of a custom field is not resolved yet. */
export const hasCustomField = ({ definition }: SourcedDefinition): boolean =>
  Object.values(objectOf(definition.attributes)).some(
    (attribute) => objectOf(attribute).type === 'customField',
  )

/** Attributes with an unknown custom field, by the field's name. */
export type UnknownFields = Map<string, Pick<SchemaProblem, 'source' | 'path'>[]>

/**
 * Replaces `customField` by the stored type of the field, which plugins register in Strapi
 * (docs/internals/decisions.md, "Definitions of existing projects"). An unknown field accepts any JSON and is added to
 * `unknown`.
 */
export function resolveCustomFields(
  sourced: SourcedDefinition,
  given: CustomFields,
  unknown: UnknownFields,
): SourcedDefinition {
  const { attributes } = sourced.definition
  if (!isObject(attributes)) return sourced
  const resolved = Object.entries(attributes).map(([name, attribute]) => {
    if (!isObject(attribute) || attribute.type !== 'customField') return [name, attribute]
    const field = attribute.customField
    const isNamed = typeof field === 'string'
    const type = isNamed ? typeOf(field, given) : undefined
    if (type === undefined) {
      const named = isNamed ? `"${field}"` : 'this custom field'
      const place = { source: sourced.source, path: `attributes.${name}.customField` }
      unknown.set(named, [...(unknown.get(named) ?? []), place])
    }
    return [name, { ...attribute, type: type ?? 'json' }]
  })
  return {
    ...sourced,
    definition: { ...sourced.definition, attributes: Object.fromEntries(resolved) as unknown },
  }
}

/** Warns of each unknown field and names the first attribute that uses it. */
export function unknownFieldWarnings(unknown: UnknownFields): readonly SchemaProblem[] {
  return [...unknown].flatMap(([named, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            ...first,
            message: `the type of ${named} is unknown, so it can contain any JSON value${alsoIn(others.length)}. Set its type in schema.customFields`,
          },
        ],
  )
}

const alsoIn = (others: number): string =>
  others === 0 ? '' : `, also in ${countText(others, 'other attribute')}`

function typeOf(field: string, given: CustomFields): string | undefined {
  const known = { ...publicFields, ...given }
  return Object.hasOwn(known, field) ? known[field] : undefined
}

/** Stored types of public plugins' custom fields, copied from files that Strapi generates for projects. */
const publicFields: Readonly<Record<string, ScalarType>> = {
  'plugin::better-blocks.better-blocks': 'json',
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::country-select.country': 'string',
  'plugin::field-uuid.uuid': 'uid',
  'plugin::flex-date.flex-date': 'string',
  'plugin::fontawesome-strapi.icon': 'string',
  'plugin::google-maps.location-picker': 'json',
  'plugin::icon-picker.icon': 'string',
  'plugin::icon-picker.icon-picker': 'string',
  'plugin::icons-field.icon': 'text',
  'plugin::lexical.lexical': 'json',
  'plugin::list-tags.listTags': 'json',
  'plugin::location-field.location': 'json',
  'plugin::lucide-icon-picker.lucide-icon': 'string',
  'plugin::material-symbols.icon': 'string',
  'plugin::mdx.mdx': 'richtext',
  'plugin::multi-select.multi-select': 'json',
  'plugin::oembed.oembed': 'json',
  'plugin::postgis.map': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::strapi-advanced-uuid.uuid': 'uid',
  'plugin::strapi-code-editor-custom-field.code-editor-json': 'json',
  'plugin::strapi-code-editor-custom-field.code-editor-text': 'text',
  'plugin::strapi-lucide-icons.icon': 'string',
  'plugin::strapi-phone-validator.phone': 'string',
  'plugin::strapi-plugin-iconhub.iconhub': 'json',
  'plugin::strapi-plugin-yt-clips.strapi-plugin-yt-clips': 'json',
  'plugin::strapi-tiptap-editor.strapi-tiptap-editor': 'richtext',
  'plugin::strapi-tiptap-editor.richtext-preview': 'string',
  'plugin::tagsinput.tags': 'json',
  'plugin::tinymce.tinymce': 'richtext',
  'plugin::tiptap-editor.RichText': 'text',
  'plugin::unixtimestamp.unix-timestamp': 'integer',
  'plugin::video-field.video': 'json',
}
