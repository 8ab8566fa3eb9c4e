import type { Field } from './structures.js'
import { components } from './structures.js'
import type { Body } from './wishes.js'
import { edited } from './wishes.js'

/** A reference, and its position in the list of the inverse side. */
export type Ref = Readonly<{ key: number; order: number }>
/** A component. */
export type Part = Readonly<{ id: number; uid: string; content: Content }>
/** Content of a version by field name. All values except scalars are lists, even if they can hold only one item. */
export type Content = Readonly<Record<string, unknown>>

export const refsIn = (content: Content, name: string) => (content[name] ?? []) as readonly Ref[]
export const partsIn = (content: Content, name: string) => (content[name] ?? []) as readonly Part[]

/** Returns the content after a write. Omitted attributes keep their value, or get an empty one in a new version. */
export function written(
  fields: readonly Field[],
  before: Content | undefined,
  body: Body,
  given: Readonly<{ order: number; newId: () => number }>,
): Content {
  return Object.fromEntries(
    fields
      .filter(({ owns }) => owns)
      .map((field) => {
        const { name, kind, many } = field
        const wish = body[name]
        const empty = kind === 'scalar' ? (field.default ?? null) : []
        if (wish === undefined) return [name, before && name in before ? before[name] : empty]
        if (wish.kind === 'scalar') return [name, wish.value]
        if (wish.kind !== 'parts') {
          const refs = refsIn(before ?? {}, name)
          const keys = edited(
            refs.map(({ key }) => key),
            wish,
            many,
          )
          const place = (key: number) => refs.find((ref) => ref.key === key)?.order ?? given.order
          return [name, keys.map((key): Ref => ({ key, order: place(key) }))]
        }
        return [
          name,
          wish.parts.map(({ uid, of, body }): Part => {
            const part = partsIn(before ?? {}, name).find(({ id }) => id === of)
            const id = part?.id ?? given.newId()
            return { id, uid, content: written(fieldsOf(uid), part?.content, body, given) }
          }),
        ]
      }),
  )
}

/** Whether content may be published: required values exist, and no list is too long. */
export function isComplete(fields: readonly Field[], content: Content): boolean {
  return fields.every(({ name, kind, required, max }) => {
    if (kind === 'scalar') return !required || content[name] !== null
    if (kind !== 'component' && kind !== 'zone') return true
    const parts = partsIn(content, name)
    return (
      parts.length <= max && parts.every((part) => isComplete(fieldsOf(part.uid), part.content))
    )
  })
}

/** Returns the values of unique attributes in components, each with the entry's field that contains the component. */
export function marksIn(
  fields: readonly Field[],
  content: Content,
  under?: Field,
): readonly Readonly<{ field: Field; mark: string }>[] {
  return fields.flatMap((field) => {
    const { name, kind, unique } = field
    if (kind === 'component' || kind === 'zone')
      return partsIn(content, name).flatMap(({ uid, content: inner }) =>
        marksIn(fieldsOf(uid), inner, under ?? field),
      )
    const value = content[name] ?? null
    if (under === undefined || !unique || value === null) return []
    return [{ field: under, mark: `${name} ${value as string}` }]
  })
}

/** Returns content without references to a deleted document. */
export function without(
  fields: readonly Field[],
  content: Content,
  type: string,
  deleted: number,
): Content {
  const changed = fields.flatMap(({ name, kind, owns, target }): (readonly [string, unknown])[] => {
    if (kind === 'relation' && owns && target === type)
      return [[name, refsIn(content, name).filter(({ key }) => key !== deleted)]]
    if (kind !== 'component' && kind !== 'zone') return []
    return [
      [
        name,
        partsIn(content, name).map((part) => ({
          ...part,
          content: without(fieldsOf(part.uid), part.content, type, deleted),
        })),
      ],
    ]
  })
  return { ...content, ...Object.fromEntries(changed) }
}

export function fieldsOf(uid: string): readonly Field[] {
  return components.get(uid) ?? []
}
