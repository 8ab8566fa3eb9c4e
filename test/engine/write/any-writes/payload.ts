import type { Field } from './structures.js'
import { fieldsOf } from './content.js'
import type { Body, Edit, Item, Wish } from './wishes.js'

/** Maps the model's keys to the documentIds of documents and files, and to the ids of components. */
export type Names = Readonly<{
  documents: ReadonlyMap<number, string>
  components: ReadonlyMap<number, number>
}>

/** Returns the `data` of a request for a body. */
export function payloadOf(fields: readonly Field[], body: Body, names: Names): object {
  const sent = fields.flatMap((field): (readonly [string, unknown])[] => {
    const wish = body[field.name]
    return wish === undefined ? [] : [[field.name, valueOf(field, wish, names)]]
  })
  return Object.fromEntries(sent)
}

function valueOf(field: Field, wish: Wish, names: Names): unknown {
  if (wish.kind === 'scalar') return wish.value
  if (wish.kind !== 'parts') return editOf(field, wish, names)
  const parts = wish.parts.map(({ uid, of, body }) => ({
    ...(of !== undefined && { id: names.components.get(of) }),
    ...(field.kind === 'zone' && { __component: uid }),
    ...payloadOf(fieldsOf(uid), body, names),
  }))
  return field.many ? parts : (parts[0] ?? null)
}

function editOf(field: Field, edit: Edit, names: Names): unknown {
  const idOf = (key: number) => names.documents.get(key)
  const sent = ({ key, locale, place }: Item): unknown =>
    locale === undefined && place === undefined
      ? idOf(key)
      : {
          documentId: idOf(key),
          ...(locale !== undefined && { locale }),
          ...(place !== undefined && {
            position: place === 'start' ? { start: true } : { [place.at]: idOf(place.key) },
          }),
        }
  if (edit.kind === 'edit')
    return { connect: edit.connect.map(sent), disconnect: edit.disconnect.map(sent) }
  const items = edit.items.map(sent)
  return field.many ? items : (items[0] ?? null)
}
