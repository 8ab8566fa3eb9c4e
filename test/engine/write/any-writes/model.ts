import type { Content, Ref } from './content.js'
import { fieldsOf, isComplete, marksIn, refsIn, without, written } from './content.js'
import type { Doc, Entry, Status } from './document.js'
import { statuses } from './document.js'
import { Links } from './links.js'
import type { Field, Type } from './structures.js'
import type { Body } from './wishes.js'
import { itemsOf } from './wishes.js'

/** Predicts what the API shows after any writes. Methods that write return whether the API must accept the write. */
export class Model {
  readonly docs = new Map<number, Doc>()
  readonly links = new Links(this.docs)
  #numbers = 0

  newNumber(): number {
    this.#numbers += 1
    return this.#numbers
  }

  keysOf(type: string): readonly number[] {
    return [...this.docs].filter(([, doc]) => doc.type.name === type).map(([key]) => key)
  }

  entry(key: number, locale: string): Entry | undefined {
    const doc = this.docs.get(key)
    return doc?.entries.get(doc.type.localized ? locale : '')
  }

  /**
   * Returns the content that a write starts from: the draft in the locale, or else the values that all locales share.
   */
  base(key: number, locale: string): Readonly<{ locale: string; content: Content }> | undefined {
    const doc = this.docs.get(key)
    const draft = this.entry(key, locale)?.draft
    if (draft) return { locale, content: draft }
    const [sibling] = doc?.entries ?? []
    if (doc === undefined || sibling === undefined) return undefined
    return { locale: sibling[0], content: sharedOf(doc.type, sibling[1].draft) }
  }

  save(key: number, type: Type, locale: string, body: Body, status: Status): boolean {
    const doc = this.docs.get(key) ?? { type, entries: new Map<string, Entry>() }
    const at = type.localized ? locale : ''
    const entry = doc.entries.get(at)
    const order = this.links.tick()
    const newId = () => this.newNumber()
    const before = this.base(key, locale)?.content
    const draft = written(type.fields, before, body, { order, newId })
    const publishes = status === 'published' && type.drafts
    if (publishes || !type.drafts)
      if (
        !isComplete(type.fields, draft) ||
        this.#isTaken(key, doc, at, draft) ||
        this.#isMarked(key, doc, at, draft)
      )
        return false

    this.docs.set(key, doc)
    const saved: Entry = { ...entry, draft, pending: entry?.pending ?? [] }
    doc.entries.set(at, saved)
    for (const one of doc.entries.values()) one.draft = { ...one.draft, ...sharedOf(type, draft) }
    for (const [field, ref] of exclusiveRefs(type, draft))
      if (!refsIn(entry?.draft ?? {}, field.name).some(({ key }) => key === ref.key))
        this.links.take(key, field, at, 'draft', ref)
    if (publishes) {
      saved.published = draft
      for (const one of doc.entries.values())
        if (one.published) one.published = { ...one.published, ...sharedOf(type, draft) }
      for (const [field, ref] of exclusiveRefs(type, draft))
        this.links.take(key, field, at, 'published', ref)
    }
    const edits = type.fields.flatMap((field) => {
      const wish = field.owns ? undefined : body[field.name]
      return wish?.kind === 'set' || wish?.kind === 'edit' ? [{ field, edit: wish }] : []
    })
    const place = { key, type, locale, order }
    this.links.editOwners(place, edits, 'draft', saved)
    if (publishes) this.links.publishPending(key, saved)
    if (publishes || !type.drafts) this.links.editOwners(place, edits, 'published', saved)
    return true
  }

  discard(key: number, at: string): void {
    const doc = this.docs.get(key)
    const entry = doc?.entries.get(at)
    if (doc === undefined || entry?.published === undefined) return
    const order = this.links.tick()
    const { draft, published } = entry
    entry.draft = published
    for (const one of doc.entries.values())
      one.draft = { ...one.draft, ...sharedOf(doc.type, published) }
    for (const [field, ref] of exclusiveRefs(doc.type, published))
      if (!refsIn(draft, field.name).some(({ key }) => key === ref.key))
        this.links.connect(key, field, at, 'draft', { key: ref.key, order })
    this.links.discardPending(key, entry)
  }

  /** Removes a document in one locale, or in all (`*`). */
  remove(key: number, locale: string): void {
    const doc = this.docs.get(key)
    if (doc === undefined) return
    if (locale !== '*' && doc.type.localized) doc.entries.delete(locale)
    else doc.entries.clear()
    if (doc.entries.size > 0) return
    this.docs.delete(key)
    for (const { type, entries } of this.docs.values())
      for (const entry of entries.values())
        for (const status of statuses) {
          const content = entry[status]
          if (content) entry[status] = without(type.fields, content, doc.type.name, key)
        }
  }

  knows(key: number, type: Type, locale: string, fields: readonly Field[], body: Body): boolean {
    return fields.every((field) => {
      const wish = body[field.name]
      if (wish === undefined || wish.kind === 'scalar' || field.kind === 'media') return true
      if (wish.kind === 'parts')
        return wish.parts.every(({ uid, body }) =>
          this.knows(key, type, locale, fieldsOf(uid), body),
        )
      return itemsOf(wish).every(({ key: target, place, locale: given }) => {
        const named = typeof place === 'object' ? [target, place.key] : [target]
        return named.every((one) => one === key || this.entry(one, given ?? locale))
      })
    })
  }

  /** Whether a unique value of a component occurs twice in the document, or also in another document. */
  #isMarked(key: number, { type, entries }: Doc, at: string, content: Content): boolean {
    const shownIn = (entry: Entry | undefined) =>
      marksIn(type.fields, (type.drafts ? entry?.published : entry?.draft) ?? {})
    const marks = marksIn(type.fields, content)
    const own = shownIn(entries.get(at))
    const others = [...this.docs].flatMap(([other, doc]) =>
      doc.type !== type
        ? []
        : [...doc.entries].flatMap(([locale, entry]) =>
            shownIn(entry)
              // In the same document, only values of other locales count, and only those that the locales do not share.
              .filter(({ field }) => other !== key || (locale !== at && !field.shared))
              .map(({ mark }) => ({ mark, locale })),
          ),
    )
    return marks.some(({ mark }, first) => {
      if (marks.findIndex((one) => one.mark === mark) !== first) return true
      const isShared = marks.some((one) => one.mark === mark && one.field.shared)
      const had = own.filter((one) => one.mark === mark && (!isShared || one.field.shared))
      if (had.length > 0) return false
      return others.some((one) => one.mark === mark && (isShared || one.locale === at))
    })
  }

  /**
   * Whether another document in this locale already has the same unique value: in its published version, or for types
   * without drafts, in its only version.
   */
  #isTaken(key: number, { type }: Doc, at: string, content: Content): boolean {
    const others = this.keysOf(type.name).filter((other) => other !== key)
    return type.fields.some(
      ({ name, unique }) =>
        unique &&
        content[name] !== null &&
        others.some((other) => {
          const entry = this.docs.get(other)?.entries.get(at)
          return (type.drafts ? entry?.published : entry?.draft)?.[name] === content[name]
        }),
    )
  }
}

function sharedOf(type: Type, content: Content): Content {
  const shared = type.fields.filter(({ shared }) => shared)
  return Object.fromEntries(shared.map(({ name }) => [name, content[name]]))
}

function exclusiveRefs(type: Type, content: Content): readonly (readonly [Field, Ref])[] {
  return type.fields
    .filter(({ exclusive }) => exclusive)
    .flatMap((field) => refsIn(content, field.name).map((ref) => [field, ref] as const))
}
