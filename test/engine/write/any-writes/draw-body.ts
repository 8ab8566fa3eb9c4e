import { partsIn, refsIn, fieldsOf } from './content.js'
import type { Content } from './content.js'
import type { Dice } from './dice.js'
import { otherSide } from './links.js'
import type { Model } from './model.js'
import type { Field, Type } from './structures.js'
import { types } from './structures.js'
import type { Body, Edit, Item, PartWish, Place, Wish } from './wishes.js'

/** Parameters for drawing a body: the document to write, and what the body can refer to. */
export type Drawing = Readonly<{
  model: Model
  dice: Dice
  key: number
  type: Type
  locale: string
  locales: readonly string[]
  files: readonly number[]
}>

/** Draws a body with some of the fields. Without `before`, the body creates content; otherwise it changes `before`. */
export function drawBody(drawing: Drawing, fields: readonly Field[], before?: Content): Body {
  const { dice } = drawing
  const wishes = fields.flatMap((field): (readonly [string, Wish])[] => {
    const isNeeded = before?.[field.name] === undefined && field.required && !dice.once(6)
    return isNeeded || dice.once(3) ? [[field.name, drawWish(drawing, field, before)]] : []
  })
  return Object.fromEntries(wishes)
}

function drawWish(drawing: Drawing, field: Field, before: Content | undefined): Wish {
  const { dice, files } = drawing
  switch (field.kind) {
    case 'scalar':
      return { kind: 'scalar', value: drawScalar(dice, field) }
    case 'component':
    case 'zone':
      return { kind: 'parts', parts: drawParts(drawing, field, before) }
    case 'media': {
      const linked = refsIn(before ?? {}, field.name).map(({ key }) => key)
      return drawEdit(drawing, field, files, linked)
    }
    case 'relation': {
      const linked = field.owns
        ? refsIn(before ?? {}, field.name).map(({ key }) => key)
        : owners(drawing, field)
      return drawEdit(drawing, field, targets(drawing, field), linked)
    }
  }
}

function drawScalar(dice: Dice, { type, unique }: Field): unknown {
  if (dice.once(5)) return null
  if (type === 'integer') return dice.throw(10)
  // Texts are unique in components, other values in entries. Components outnumber entries, so texts need more values.
  const few = type === 'text' ? 40 : 3
  return unique ? `code ${dice.throw(few)}` : `text ${dice.throw(100)}`
}

function drawParts(
  drawing: Drawing,
  field: Field,
  before: Content | undefined,
): readonly PartWish[] {
  const { dice } = drawing
  const existing = field.kind === 'zone' ? [] : partsIn(before ?? {}, field.name)
  const updated = dice.some(existing, 2).map(({ id, uid, content }): PartWish => ({
    ...{ uid, of: id, body: drawBody(drawing, fieldsOf(uid), content) },
  }))
  const added = Array.from({ length: dice.throw(3) }, (): PartWish => {
    const uid = dice.pick(field.components) ?? ''
    return { uid, body: drawBody(drawing, fieldsOf(uid)) }
  })
  return field.many
    ? [...added.slice(1), ...updated, ...added.slice(0, 1)]
    : [...updated, ...added].slice(0, 1)
}

/** Returns the documents that a body may refer to: only rarely also those without a version in the body's locale. */
function targets({ model, dice, type, locale }: Drawing, { target }: Field): readonly number[] {
  const keys = model.keysOf(target)
  if (dice.once(12) || !type.localized) return keys
  return keys.filter((key) => model.entry(key, locale))
}

function owners({ model, key, locale }: Drawing, field: Field): readonly number[] {
  const at = types.get(field.target)?.localized ? locale : ''
  return model.links.owners(key, otherSide(field), at, 'draft').map(({ key }) => key)
}

function drawEdit(
  drawing: Drawing,
  field: Field,
  known: readonly number[],
  linked: readonly number[],
): Edit {
  const { dice } = drawing
  const keys = dice.some(known, 3)
  if (dice.once(2)) {
    const set = field.many ? keys : keys.slice(0, 1)
    return { kind: 'set', items: set.map((key) => itemOf(drawing, field, key)) }
  }
  const disconnected = dice.some([...linked, ...known], 2)
  const remaining = linked.filter((key) => !disconnected.includes(key) && !keys.includes(key))
  return {
    kind: 'edit',
    connect: keys.map((key) => ({
      ...itemOf(drawing, field, key),
      ...(field.many && drawPlace(dice, remaining)),
    })),
    disconnect: disconnected.map((key) => itemOf(drawing, field, key)),
  }
}

/** Draws an item for a target. An item of an entry without locales can name the locale of its target. */
function itemOf({ model, dice, type, locale, locales }: Drawing, field: Field, key: number): Item {
  if (type.localized || !types.get(field.target)?.localized) return { key }
  const known = locales.filter((code) => model.entry(key, code))
  if (known.includes(locale) && !dice.once(4)) return { key }
  return { key, locale: dice.pick(known) ?? locale }
}

function drawPlace(dice: Dice, remaining: readonly number[]): { place?: Place } {
  const key = dice.pick(remaining)
  if (dice.once(4)) return { place: 'start' }
  if (key === undefined || dice.once(2)) return {}
  return { place: { at: dice.once(2) ? 'before' : 'after', key } }
}
