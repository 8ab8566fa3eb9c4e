import type { Ref } from './content.js'
import { refsIn } from './content.js'
import type { Doc, Entry, Pending, Status } from './document.js'
import type { Field, Type } from './structures.js'
import { types } from './structures.js'
import type { Edit, Item } from './wishes.js'
import { edited, itemsOf } from './wishes.js'

/** The document to write, and the time of the write, which is also an order number (`order`). */
type Place = Readonly<{ key: number; type: Type; locale: string; order: number }>
type FieldEdit = Readonly<{ field: Field; edit: Edit }>
type LocaleOf = (item: Readonly<{ locale?: string }>) => string

/** Edits two-sided relations from the inverse side, and enforces that some targets have a single owner. */
export class Links {
  readonly #docs: ReadonlyMap<number, Doc>
  #clock = 0

  constructor(docs: ReadonlyMap<number, Doc>) {
    this.#docs = docs
  }

  /**
   * Returns the next time. As an order number, it is after all earlier ones, with room for more before the next time.
   */
  tick(): number {
    this.#clock += 1_000
    return this.#clock
  }

  owners(key: number, field: Field, at: string, status: Status): readonly Ref[] {
    return [...this.#docs]
      .filter(([, { type }]) => type.fields.includes(field))
      .flatMap(([owner]) => {
        const ref = this.#ref(key, { field, owner, at }, status)
        return ref === undefined ? [] : [{ key: owner, order: ref.order }]
      })
      .sort((a, b) => a.order - b.order)
  }

  /**
   * Edits the versions of the owners that have this status, and records in the draft which edits publishing has to
   * repeat.
   */
  editOwners(place: Place, edits: readonly FieldEdit[], status: Status, entry: Entry): void {
    for (const { field: own, edit } of edits) {
      const field = otherSide(own)
      const owner = types.get(own.target) as Type
      if (status === 'published' && !owner.drafts) continue
      const localeOf = localeIn(place, owner)
      const ats = [...new Set([localeOf({}), ...itemsOf(edit).map(localeOf)])]
      const lists = own.many ? [ats] : ats.map((at) => [at])
      const drafts =
        status === 'draft'
          ? lists.flatMap((ats) => this.#edited(place, own, edit, ats, localeOf))
          : undefined
      for (const at of ats) {
        const localEdit = only(edit, (item) => localeOf(item) === at)
        const after = drafts?.filter((ref) => ref.at === at)
        for (const change of this.#changes(place.key, own, at, localEdit, after)) {
          this.#apply(place.key, change, status)
          if (status === 'published' || !owner.drafts || !place.type.drafts) continue
          const isSame = (other: Pending) =>
            other.field === field && other.owner === change.owner && other.at === at
          entry.pending = [...entry.pending.filter((other) => !isSame(other)), change]
        }
      }
    }
  }

  /**
   * Repeats pending edits in the owners' published versions, except those that the owners' drafts no longer contain.
   */
  publishPending(key: number, entry: Entry): void {
    const due = entry.pending.filter(
      (edge) =>
        this.#entry(edge)?.published !== undefined &&
        this.#orderIn(key, edge, 'draft') === edge.order &&
        this.#orderIn(key, edge, 'published') !== edge.order,
    )
    for (const edge of removalsFirst(due)) this.#apply(key, edge, 'published')
    entry.pending = []
  }

  /** Reverts pending edits in the owners' drafts, except those that the drafts no longer contain. */
  discardPending(key: number, entry: Entry): void {
    const undone = entry.pending
      .filter((edge) => this.#entry(edge) && this.#orderIn(key, edge, 'draft') === edge.order)
      .map((edge) => ({ ...edge, was: edge.order, order: this.#orderIn(key, edge, 'published') }))
      .filter(({ was, order }) => was !== order)
    for (const edge of removalsFirst(undone)) {
      const { field, owner, at, order } = edge
      const isFree = field.many || this.#refs(owner, field, at, 'draft').length === 0
      const isTaken =
        !field.many && field.exclusive && this.owners(key, field, at, 'draft').length > 0
      if (order === null || (isFree && !isTaken)) this.#apply(key, edge, 'draft')
    }
    entry.pending = []
  }

  /** Adds a reference to an owner's list. A reference that exists keeps its position in the list. */
  connect(owner: number, field: Field, at: string, status: Status, ref: Ref): void {
    const refs = this.#refs(owner, field, at, status)
    const exists = refs.some(({ key }) => key === ref.key)
    const replaced = refs.map((other) => (other.key === ref.key ? ref : other))
    this.#set(owner, field, at, status, field.many ? (exists ? replaced : [...refs, ref]) : [ref])
    if (field.exclusive) this.take(owner, field, at, status, ref)
  }

  /**
   * Removes a target that only one owner may have from all other owners, or from this one if another connected it
   * later.
   */
  take(owner: number, field: Field, at: string, status: Status, ref: Ref): void {
    for (const { key: other, order } of this.owners(ref.key, field, at, status)) {
      if (other === owner) continue
      const loser = field.many && order > ref.order ? owner : other
      this.#takeOut(ref.key, { field, owner: loser, at }, status)
    }
  }

  /**
   * Returns the edits of the inverse list: removed owners, and owners with a new position. `drafts` is the list of
   * drafts after the edit. Without it, returns the edits of the published versions' list.
   */
  #changes(
    key: number,
    own: Field,
    at: string,
    edit: Edit,
    drafts: readonly Ref[] | undefined,
  ): readonly Pending[] {
    const field = otherSide(own)
    const before = this.owners(key, field, at, drafts ? 'draft' : 'published')
    const after = drafts ?? likeDrafts(before, this.owners(key, field, at, 'draft'), edit, own)
    const isIn = (refs: readonly Ref[], ref: Ref) => refs.some(({ key }) => key === ref.key)
    const isMoved = ({ key, order }: Ref) => order !== before.find((ref) => ref.key === key)?.order
    return [
      ...before.filter((ref) => !isIn(after, ref)).map((ref) => ({ ...ref, order: null })),
      ...after.filter(isMoved),
    ].map(({ key: owner, order }) => ({ field, owner, at, order }))
  }

  /**
   * Returns the drafts' inverse list after an edit. Owners in several locales are in one list with distinct order
   * numbers.
   */
  #edited(
    { key, order: now }: Place,
    own: Field,
    edit: Edit,
    ats: readonly string[],
    localeOf: LocaleOf,
  ): readonly (Ref & Readonly<{ at: string }>)[] {
    const numberOf = (key: number, at: string) => key * ats.length + ats.indexOf(at)
    const numbered = (item: Item): Item => {
      const { place } = item
      const number = (key: number) => numberOf(key, localeOf(item))
      return {
        key: number(item.key),
        ...(place && { place: place === 'start' ? place : { ...place, key: number(place.key) } }),
      }
    }
    const before = ats
      .flatMap((at) =>
        this.owners(key, otherSide(own), at, 'draft').map((ref) => ({
          ...{ key: numberOf(ref.key, at), order: ref.order },
        })),
      )
      .sort((a, b) => a.order - b.order)
    const localEdit = mapped(
      only(edit, (item) => ats.includes(localeOf(item))),
      numbered,
    )
    const numbers = edited(
      before.map(({ key }) => key),
      localEdit,
      own.many,
    )
    const moved = localEdit.kind === 'set' ? [] : namedBy(localEdit)
    const stays = before.filter(({ key }) => !moved.includes(key))
    return this.#placed(numbers, stays, now).map(({ key: number, order }) => ({
      key: Math.floor(number / ats.length),
      at: ats[number % ats.length] ?? '',
      order,
    }))
  }

  /**
   * Assigns order numbers to owners. Those in unchanged order keep their number, others get one between their
   * neighbours or at the end.
   */
  #placed(keys: readonly number[], before: readonly Ref[], now: number): readonly Ref[] {
    const stays: Ref[] = []
    for (const key of keys) {
      const ref = before.find((ref) => ref.key === key)
      if (ref !== undefined && ref.order > (stays.at(-1)?.order ?? -Infinity)) stays.push(ref)
    }
    const placed: Ref[] = []
    for (const key of keys) {
      const low = placed.at(-1)?.order ?? -Infinity
      const next = stays.find(({ order }) => order > low)
      if (next?.key === key) placed.push(next)
      else if (next === undefined) placed.push({ key, order: Math.max(now, low + 1) })
      else placed.push({ key, order: low === -Infinity ? next.order - 1 : (low + next.order) / 2 })
    }
    return placed
  }

  #apply(key: number, edge: Pending, status: Status): void {
    const { field, owner, at, order } = edge
    if (order === null) this.#takeOut(key, edge, status)
    else if (this.#entry(edge)?.[status]) this.connect(owner, field, at, status, { key, order })
  }

  #takeOut(key: number, { field, owner, at }: Omit<Pending, 'order'>, status: Status): void {
    const refs = this.#refs(owner, field, at, status)
    this.#set(
      owner,
      field,
      at,
      status,
      refs.filter((ref) => ref.key !== key),
    )
  }

  #entry({ owner, at }: Omit<Pending, 'order'>): Entry | undefined {
    return this.#docs.get(owner)?.entries.get(at)
  }

  #refs(owner: number, field: Field, at: string, status: Status): readonly Ref[] {
    const doc = this.#docs.get(owner)
    const entry = doc?.entries.get(at)
    return refsIn((doc?.type.drafts ? entry?.[status] : entry?.draft) ?? {}, field.name)
  }

  #ref(key: number, { field, owner, at }: Omit<Pending, 'order'>, status: Status): Ref | undefined {
    return this.#refs(owner, field, at, status).find((ref) => ref.key === key)
  }

  #orderIn(key: number, edge: Pending, status: Status): number | null {
    return this.#ref(key, edge, status)?.order ?? null
  }

  #set(owner: number, field: Field, at: string, status: Status, refs: readonly Ref[]): void {
    const entry = this.#entry({ owner, field, at })
    const content = entry?.[status]
    if (entry && content) entry[status] = { ...content, [field.name]: refs }
  }
}

const namedBy = (edit: Edit): readonly number[] =>
  (edit.kind === 'set' ? edit.items : edit.connect).map(({ key }) => key)

/**
 * Returns the published versions' list after an edit. It has an owner that the edit names only if the drafts' list has
 * that owner.
 */
function likeDrafts(
  before: readonly Ref[],
  drafts: readonly Ref[],
  edit: Edit,
  { many }: Field,
): readonly Ref[] {
  const named = namedBy(edit)
  const disconnected = edit.kind === 'set' ? [] : edit.disconnect.map(({ key }) => key)
  const isGiven = edit.kind === 'set' || (!many && named.length > 0)
  const remaining = isGiven
    ? []
    : before.filter(({ key }) => ![...named, ...disconnected].includes(key))
  return [...remaining, ...drafts.filter(({ key }) => named.includes(key))]
}

/** Returns the field that stores a relation, given its inverse side. */
export function otherSide({ target, other }: Field): Field {
  const field = types.get(target)?.fields.find(({ name }) => name === other)
  if (field === undefined) throw new Error(`There is no ${target}.${String(other)}`)
  return field
}

function localeIn({ type, locale }: Place, owner: Type): LocaleOf {
  if (!owner.localized) return () => ''
  return type.localized ? () => locale : (item) => item.locale ?? locale
}

const only = (edit: Edit, matches: (item: Item) => boolean): Edit =>
  edit.kind === 'set'
    ? { ...edit, items: edit.items.filter(matches) }
    : {
        ...edit,
        connect: edit.connect.filter(matches),
        disconnect: edit.disconnect.filter(matches),
      }

const mapped = (edit: Edit, change: (item: Item) => Item): Edit =>
  edit.kind === 'set'
    ? { ...edit, items: edit.items.map(change) }
    : { ...edit, connect: edit.connect.map(change), disconnect: edit.disconnect.map(change) }

function removalsFirst<T extends Readonly<{ order: number | null }>>(
  edges: readonly T[],
): readonly T[] {
  return [
    ...edges.filter(({ order }) => order === null),
    ...edges.filter(({ order }) => order !== null),
  ]
}
