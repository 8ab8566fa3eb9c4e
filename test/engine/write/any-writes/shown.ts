import qs from 'qs'
import type { Content, Part } from './content.js'
import { fieldsOf, partsIn, refsIn } from './content.js'
import { otherSide } from './links.js'
import type { Status } from './document.js'
import type { Model } from './model.js'
import type { Field, Type } from './structures.js'
import { types } from './structures.js'

const defaultLocale = 'en'

type Json = Readonly<Record<string, unknown>>
/** The versions that a request reads. */
export type Scope = Readonly<{ status: Status; locale: string }>

/** Returns the entries of a type that the API must show, by the model's keys. */
export function expectedIn(model: Model, type: Type, scope: Scope): Json {
  return Object.fromEntries(
    model.keysOf(type.name).flatMap((key) => {
      const content = model.entry(key, scope.locale)?.[type.drafts ? scope.status : 'draft']
      return content ? [[String(key), expectedOf(model, key, type, content, scope)]] : []
    }),
  )
}

/** Returns the content that a response must show for an entry. References are the model's keys. */
function expectedOf(model: Model, key: number, type: Type, content: Content, scope: Scope): Json {
  // In an entry without locales, a target that does not exist in the requested locale is shown in the default locale.
  const among = type.localized ? [scope.locale] : [scope.locale, defaultLocale]
  const localeOf = (target: string, other: number): string | undefined =>
    among.find((locale) => {
      const entry = model.entry(other, locale)
      return entry?.[types.get(target)?.drafts ? scope.status : 'draft'] !== undefined
    })
  const ownersOf = (field: Field) => {
    const owners = (at: string) => model.links.owners(key, otherSide(field), at, scope.status)
    if (!types.get(field.target)?.localized) return owners('')
    return [...new Set(among)]
      .flatMap((at) => owners(at).filter((ref) => localeOf(field.target, ref.key) === at))
      .sort((a, b) => a.order - b.order)
  }
  const show = (fields: readonly Field[], content: Content): Json =>
    Object.fromEntries(fields.map((field) => [field.name, valueOf(field, content)]))
  const valueOf = (field: Field, content: Content): unknown => {
    const { name, kind, many, owns, target } = field
    if (kind === 'scalar') return content[name]
    if (kind === 'component' || kind === 'zone') {
      const parts = partsIn(content, name).map(({ id, uid, content }: Part) => ({
        ...{ id, uid, ...show(fieldsOf(uid), content) },
      }))
      return many ? parts : (parts[0] ?? null)
    }
    const refs = owns ? refsIn(content, name) : ownersOf(field)
    const keys = refs
      .map(({ key }) => key)
      .filter((key) => kind === 'media' || localeOf(target, key) !== undefined)
    return many ? keys : (keys[0] ?? null)
  }
  return show(type.fields, content)
}

/** Converts an entry in a response to the form of `expectedIn`. */
export function shownOf(
  fields: readonly Field[],
  entry: Json,
  keys: ReadonlyMap<string, number>,
): Json {
  const keyOf = (value: unknown) => keys.get(String((value as Json)['documentId'])) ?? value
  const partOf = ({ components }: Field, value: unknown): unknown => {
    const part = value as Json
    const uid = (part['__component'] ?? components[0]) as string
    return { id: part['id'], uid, ...shownOf(fieldsOf(uid), part, keys) }
  }
  return Object.fromEntries(
    fields.map((field) => {
      const value = entry[field.name]
      const show = (one: unknown): unknown =>
        field.kind === 'component' || field.kind === 'zone' ? partOf(field, one) : keyOf(one)
      if (field.kind === 'scalar' || value === null) return [field.name, value]
      return [field.name, Array.isArray(value) ? value.map(show) : show(value)]
    }),
  )
}

/** Numbers component ids in order of first occurrence, because only their equality matters. */
export function renumbered(value: unknown, ids = new Map<unknown, number>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => renumbered(one, ids))
  const { id, uid } = value as Json
  if (uid !== undefined && !ids.has(id)) ids.set(id, ids.size)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === 'id' && uid !== undefined ? [name, ids.get(id)] : [name, renumbered(member, ids)],
    ),
  )
}

/** Describes the differences of two values: `page draft en.3.topics: [1] instead of [1,2]`. */
export function differences(shown: unknown, expected: unknown, path = ''): readonly string[] {
  const isBranch = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isBranch(shown) || !isBranch(expected)) {
    const [is, instead] = [JSON.stringify(shown), JSON.stringify(expected)]
    return is === instead ? [] : [`${path}: ${is} instead of ${instead}`]
  }
  const names = new Set([...Object.keys(shown as Json), ...Object.keys(expected as Json)])
  return [...names].flatMap((name) =>
    differences((shown as Json)[name], (expected as Json)[name], `${path}.${name}`),
  )
}

/** Returns a query string that populates everything, including nested components. */
export function populateAll({ fields }: Type): string {
  return qs.stringify({ populate: populateOf(fields) }, { encodeValuesOnly: true })
}

function populateOf(fields: readonly Field[]): object {
  const inside = (uid: string) => ({ populate: populateOf(fieldsOf(uid)) })
  const edges = fields.filter(({ kind }) => kind !== 'scalar')
  return Object.fromEntries(
    edges.map(({ name, kind, components }): [string, object] => {
      const parts = components.map((uid) => [uid, inside(uid)] as const)
      if (kind === 'zone') return [name, { on: Object.fromEntries(parts) }]
      return [name, parts[0]?.[1] ?? { fields: ['documentId'] }]
    }),
  )
}
