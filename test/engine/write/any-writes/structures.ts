import { definitions } from './definitions.js'

/** An attribute as the model knows it. */
export type Field = Readonly<{
  name: string
  kind: 'scalar' | 'media' | 'relation' | 'component' | 'zone'
  type: string
  many: boolean
  /** Whether all locales of a document share the value. */
  shared: boolean
  required: boolean
  unique: boolean
  max: number
  default: unknown
  /** uids of the allowed components. */
  components: readonly string[]
  /** For a relation: name of the target type. `other` is the name of the attribute on the other side. */
  target: string
  other: string | undefined
  /** Whether this side stores the relation. */
  owns: boolean
  /** Whether no two entries may refer to the same target. */
  exclusive: boolean
}>
export type Type = Readonly<{
  name: string
  drafts: boolean
  localized: boolean
  single: boolean
  fields: readonly Field[]
}>

type Json = Readonly<Record<string, unknown>>

/** The content-types and components of `definitions`, in the form that the model uses. */
export const components = new Map<string, readonly Field[]>()
export const types = new Map<string, Type>()
for (const { kind, uid, definition } of definitions) {
  const json: Json = definition
  const localized = isLocalized(json)
  const fields = Object.entries(json['attributes'] as Record<string, Json>).map(([name, given]) =>
    fieldOf(name, given, localized),
  )
  if (kind === 'component') components.set(uid, fields)
  else
    types.set(nameOf(uid), {
      name: nameOf(uid),
      drafts: (json['options'] as Json)['draftAndPublish'] === true,
      localized,
      single: json['kind'] === 'singleType',
      fields,
    })
}

function fieldOf(name: string, given: Json, inLocalized: boolean): Field {
  const type = String(given['type'])
  const shape = String(given['relation'])
  const other = (given['inversedBy'] ?? given['mappedBy']) as string | undefined
  const owns = given['mappedBy'] === undefined
  const single = given['component'] as string | undefined
  return {
    name,
    kind: kindOf(type),
    type,
    many: [
      given['multiple'],
      given['repeatable'],
      type === 'dynamiczone',
      shape.endsWith('Many'),
    ].includes(true),
    shared: inLocalized && type !== 'relation' && !isLocalized(given),
    required: given['required'] === true,
    unique: given['unique'] === true,
    max: Number(given['max'] ?? Infinity),
    default: given['default'],
    components: single === undefined ? ((given['components'] ?? []) as string[]) : [single],
    target: nameOf(String(given['target'])),
    other,
    owns,
    exclusive: owns && other !== undefined && shape.startsWith('oneTo'),
  }
}

function kindOf(type: string): Field['kind'] {
  if (type === 'dynamiczone') return 'zone'
  return type === 'media' || type === 'relation' || type === 'component' ? type : 'scalar'
}

function isLocalized(json: Json): boolean {
  return (
    (json['pluginOptions'] as { i18n?: { localized: boolean } } | undefined)?.i18n?.localized ===
    true
  )
}

function nameOf(uid: string): string {
  return uid.split('.').at(-1) ?? ''
}
