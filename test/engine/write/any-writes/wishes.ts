/** The changes that a body requests, by attribute, however its payload expresses them. */
export type Body = Readonly<Record<string, Wish>>
export type Wish =
  | Readonly<{ kind: 'scalar'; value: unknown }>
  | Readonly<{ kind: 'parts'; parts: readonly PartWish[] }>
  | Edit

/** `of` names an existing component that is edited in place. */
export type PartWish = Readonly<{ uid: string; of?: number; body: Body }>

export type Edit =
  | Readonly<{ kind: 'set'; items: readonly Item[] }>
  | Readonly<{ kind: 'edit'; connect: readonly Item[]; disconnect: readonly Item[] }>

/** A target, by its key. `place`: before or after another target, or at the start of the list. */
export type Item = Readonly<{ key: number; locale?: string; place?: Place }>
export type Place = 'start' | Readonly<{ at: 'before' | 'after'; key: number }>

export const itemsOf = (edit: Edit): readonly Item[] =>
  edit.kind === 'set' ? edit.items : [...edit.connect, ...edit.disconnect]

/** Returns a list after an edit: disconnected keys are removed first, then connected ones are inserted in position. */
export function edited(before: readonly number[], edit: Edit, many: boolean): readonly number[] {
  if (edit.kind === 'set') {
    const keys = edit.items.map(({ key }) => key)
    return many ? [...new Set(keys)] : keys.slice(-1)
  }
  const disconnected = edit.disconnect.map(({ key }) => key)
  const list = before.filter((key) => !disconnected.includes(key))
  if (!many) {
    const keys = edit.connect.map(({ key }) => key)
    const connectedBefore = before.filter((key) => keys.includes(key))
    return connectedBefore.length > 0 ? connectedBefore : keys.length > 0 ? keys.slice(-1) : list
  }
  for (const { key, place } of edit.connect) {
    if (list.includes(key)) list.splice(list.indexOf(key), 1)
    list.splice(placeIn(list, place), 0, key)
  }
  return list
}

function placeIn(list: readonly number[], place: Place | undefined): number {
  if (place === 'start') return 0
  const at = place === undefined ? -1 : list.indexOf(place.key)
  if (place === undefined || at < 0) return list.length
  return place.at === 'before' ? at : at + 1
}
