import type { Ref } from './content.js'
import { refsIn } from './content.js'
import type { Doc, Entry, Pending, Status } from './document.js'
import type { Field, Type } from './structures.js'
import { types } from './structures.js'
import type { Edit } from './wishes.js'
import { edited } from './wishes.js'

/** The document that is written, and when. */
type Place = Readonly<{ key: number; type: Type; locale: string; order: number }>
type FieldEdit = Readonly<{ field: Field; edit: Edit }>

/** Two-sided relations seen from the side that does not store them, and those that have one owner only. */
export class Links {
  readonly #docs: ReadonlyMap<number, Doc>
  #clock = 0

  constructor(docs: ReadonlyMap<number, Doc>) {
    this.#docs = docs
  }

  /** A time later than every other, which is also a place at the end of any list; a few more fit before the next. */
  tick(): number {
    this.#clock += 1_000
    return this.#clock
  }

  /** Who refers to a document, in the order of its list. */
  owners(key: number, field: Field, at: string, status: Status): readonly Ref[] {
    return [...this.#docs]
      .filter(([, { type }]) => type.fields.includes(field))
      .flatMap(([owner]) => {
        const ref = this.#ref(key, { field, owner, at }, status)
        return ref === undefined ? [] : [{ key: owner, order: ref.order }]
      })
      .sort((a, b) => a.order - b.order)
  }

  /** Edits the owners' versions of one status, and notes in the draft what its publication has to repeat. */
  editOwners(place: Place, edits: readonly FieldEdit[], status: Status, entry: Entry): void {
    for (const { field: own, edit } of edits) {
      const field = otherSide(own)
      const owner = types.get(own.target) as Type
      if (status === 'published' && !owner.drafts) continue
      for (const [at, part] of byLocale(place, owner, edit))
        for (const change of this.#changes(place, own, field, at, part, status)) {
          this.#apply(place.key, change, status)
          if (status === 'published' || !owner.drafts || !place.type.drafts) continue
          const isSame = (other: Pending) =>
            other.field === field && other.owner === change.owner && other.at === at
          entry.pending = [...entry.pending.filter((other) => !isSame(other)), change]
        }
    }
  }

  /** Gives the published owners what their drafts got from this document's draft, and still have. */
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

  /** Takes back from the owners' drafts what they got from this document's draft, and still have. */
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

  /** Puts a reference into an owner; one that is there keeps its place in the owner's own list. */
  connect(owner: number, field: Field, at: string, status: Status, ref: Ref): void {
    const refs = this.#refs(owner, field, at, status)
    const isThere = refs.some(({ key }) => key === ref.key)
    const kept = refs.map((other) => (other.key === ref.key ? ref : other))
    this.#set(owner, field, at, status, field.many ? (isThere ? kept : [...refs, ref]) : [ref])
    if (field.exclusive) this.take(owner, field, at, status, ref)
  }

  /** Of all that refer to a target exclusively, the one that connected it last keeps it. */
  take(owner: number, field: Field, at: string, status: Status, ref: Ref): void {
    for (const { key: other, order } of this.owners(ref.key, field, at, status)) {
      if (other === owner) continue
      const loser = field.many && order > ref.order ? owner : other
      this.#takeOut(ref.key, { field, owner: loser, at }, status)
    }
  }

  /** What an edit of an inverse list changes: who is taken out of it, and who gets another place. */
  #changes(
    { key, order: now }: Place,
    own: Field,
    field: Field,
    at: string,
    edit: Edit,
    status: Status,
  ): readonly Pending[] {
    const owners = this.owners(key, field, at, status)
    const isOwner = ({ key }: Readonly<{ key: number }>) => owners.some((ref) => ref.key === key)
    // Who is an owner in drafts only stands in the list of the published ones too, and is not written.
    const others = status === 'published' && own.many ? this.owners(key, field, at, 'draft') : []
    const before = [...owners, ...others.filter((ref) => !isOwner(ref))].sort(
      (a, b) => a.order - b.order,
    )
    const moved = edit.kind === 'set' ? [] : edit.connect.map(({ key }) => key)
    const named = edit.kind === 'set' ? edit.items.map(({ key }) => key) : moved
    // Whom of several a relation to one keeps is said once, of drafts.
    const keys =
      status === 'published' && !own.many && named.length > 0
        ? this.owners(key, field, at, 'draft').map(({ key }) => key)
        : edited(
            before.map(({ key }) => key),
            edit,
            own.many,
          )
    const orders = this.#placed(
      keys,
      before.filter(({ key }) => !moved.includes(key)),
      now,
    )
    const isMoved = ({ key, order }: Ref) =>
      (isOwner({ key }) || named.includes(key)) &&
      order !== owners.find((ref) => ref.key === key)?.order
    return [
      ...owners.filter((ref) => !keys.includes(ref.key)).map((ref) => ({ ...ref, order: null })),
      ...orders.filter(isMoved),
    ].map(({ key: owner, order }) => ({ field, owner, at, order }))
  }

  /** Numbers for a list: whoever stays keeps its own, others get one between their neighbours or a later one. */
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

/** The field of the target type that stores a relation. */
export function otherSide({ target, other }: Field): Field {
  const field = types.get(target)?.fields.find(({ name }) => name === other)
  if (field === undefined) throw new Error(`There is no ${target}.${String(other)}`)
  return field
}

/** An edit for each locale of the owners that it concerns: theirs is this document's, or what each item says. */
function byLocale(
  { type, locale }: Place,
  owner: Type,
  edit: Edit,
): readonly (readonly [string, Edit])[] {
  if (!owner.localized) return [['', edit]]
  if (type.localized) return [[locale, edit]]
  const localeOf = (item: Readonly<{ locale?: string }>) => item.locale ?? locale
  const items = edit.kind === 'set' ? edit.items : [...edit.connect, ...edit.disconnect]
  return [...new Set([locale, ...items.map(localeOf)])].map((at) => {
    const isHere = (item: Readonly<{ locale?: string }>) => localeOf(item) === at
    return edit.kind === 'set'
      ? [at, { kind: 'set', items: edit.items.filter(isHere) }]
      : [
          at,
          {
            kind: 'edit',
            connect: edit.connect.filter(isHere),
            disconnect: edit.disconnect.filter(isHere),
          },
        ]
  })
}

function removalsFirst<T extends Readonly<{ order: number | null }>>(
  edges: readonly T[],
): readonly T[] {
  return [
    ...edges.filter(({ order }) => order === null),
    ...edges.filter(({ order }) => order !== null),
  ]
}
