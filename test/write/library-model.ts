/**
 * What the API is to show of albums and labels with draft & publish, and of articles in several locales, as
 * plain data: no steps, no stamps, no revisions. Lists of an inverse side are compared without their order.
 */
export type Status = 'draft' | 'published'
export type Ref = Readonly<{ label: number; connected: number }>
export type ListName = 'labels' | 'parts'
type Album = { labels: Ref[]; parts: Ref[]; partner: Ref | null }
type Versions<T> = { draft: T; published?: T }
/** An edit of an inverse relation that was made in a draft: when it was connected, null = taken out. */
type Label = Versions<Record<string, never>> & { pending: Pending }
type Pending = Map<string, { field: keyof Album; album: number; connected: number | null }>
type Article = { title: string | null; views: number | null }

/** What a body says of an album's relations. */
export type AlbumBody = Readonly<{
  labels?: readonly number[]
  parts?: readonly number[]
  partner?: number | null
}>
/** What a body says of a label's inverse relations. */
export type LabelBody = Readonly<{
  connect?: number
  disconnect?: number
  whole?: number | null
  owner?: number | null
}>
export type ArticleBody = Readonly<{ title?: string; views?: number }>

export class LibraryModel {
  readonly albums = new Map<number, Versions<Album>>()
  readonly labels = new Map<number, Label>()
  readonly articles = new Map<number, Map<string, Versions<Article>>>()
  #clock = 0
  #keys = 0

  newKey(): number {
    this.#keys += 1
    return this.#keys
  }

  saveAlbum(key: number, body: AlbumBody, status: Status): void {
    const album = this.albums.get(key) ?? { draft: { labels: [], parts: [], partner: null } }
    this.albums.set(key, album)
    const { draft } = album
    const now = this.#tick()
    for (const field of ['labels', 'parts'] as const) {
      const wanted = body[field]
      if (wanted === undefined) continue
      const before = draft[field]
      draft[field] = wanted.map(
        (label) => before.find((ref) => ref.label === label) ?? { label, connected: now },
      )
      for (const ref of field === 'parts' ? draft.parts : [])
        if (!before.includes(ref)) this.#settle(key, 'draft', ref)
    }
    if (body.partner !== undefined) {
      const { partner } = body
      const isKept = draft.partner?.label === partner
      if (partner === null) draft.partner = null
      else if (!isKept) this.#marry(key, 'draft', { label: partner, connected: now })
    }
    if (status === 'published') this.publishAlbum(key)
  }

  publishAlbum(key: number): void {
    const album = this.#album(key)
    const { labels, parts, partner } = album.draft
    album.published = { labels: [...labels], parts: [...parts], partner: null }
    for (const ref of parts) this.#settle(key, 'published', ref)
    if (partner !== null) this.#marry(key, 'published', partner)
  }

  discardAlbum(key: number): void {
    const { draft, published } = this.#album(key)
    if (published === undefined) return
    const now = this.#tick()
    const had = new Set(draft.parts.map(({ label }) => label))
    draft.labels = [...published.labels]
    draft.parts = published.parts.map((ref) =>
      had.has(ref.label) ? ref : { label: ref.label, connected: now },
    )
    for (const ref of [...draft.parts]) if (!had.has(ref.label)) this.#settle(key, 'draft', ref)
    if (published.partner === null) draft.partner = null
    else this.#marry(key, 'draft', published.partner)
  }

  saveLabel(key: number, body: LabelBody, status: Status): void {
    const label: Label = this.labels.get(key) ?? { draft: {}, pending: new Map() }
    this.labels.set(key, label)
    const now = this.#tick()
    const pending = status === 'published' ? [...label.pending.values()] : []
    const written = new Set<string>()
    for (const of of status === 'draft'
      ? (['draft'] as const)
      : (['draft', 'published'] as const)) {
      const note = (field: keyof Album, album: number, connected: number | null) => {
        const id = `${field} ${album}`
        if (of === 'draft') label.pending.set(id, { field, album, connected })
        written.add(id)
      }
      this.#editLabels(key, body, of, now, note)
      if (body.whole !== undefined) this.#editWhole(key, body.whole, of, now, note)
      if (body.owner !== undefined) this.#editOwner(key, body.owner, of, now, note)
    }
    if (status === 'draft') return
    label.published = {}
    this.#publishPending(
      key,
      pending.filter(({ field, album }) => !written.has(`${field} ${album}`)),
    )
    label.pending.clear()
  }

  publishLabel(key: number): void {
    this.saveLabel(key, {}, 'published')
  }

  discardLabel(key: number): void {
    const label = this.labels.get(key)
    if (label?.published === undefined) return
    const undone = [...label.pending.values()].filter(({ field, album, connected }) => {
      const draft = this.albums.get(album)?.draft
      return draft !== undefined && (refIn(draft, field, key)?.connected ?? null) === connected
    })
    const live = undone.map(({ field, album }) => {
      const published = this.albums.get(album)?.published
      return published && refIn(published, field, key)
    })
    undone.forEach(({ field, album, connected }, at) => {
      if (live[at] === undefined && connected !== null)
        takeOut(this.#album(album).draft, field, key)
    })
    undone.forEach(({ field, album, connected }, at) => {
      const ref = live[at]
      if (ref === undefined || ref.connected === connected) return
      const { draft } = this.#album(album)
      if (field !== 'partner') this.#put(album, 'draft', field, ref)
      else if (draft.partner === null && this.#ownerOf(key, 'draft') === undefined)
        draft.partner = ref
    })
    label.pending.clear()
  }

  deleteAlbum(key: number): void {
    this.albums.delete(key)
  }

  deleteLabel(key: number): void {
    this.labels.delete(key)
    for (const { draft, published } of this.albums.values())
      for (const version of published === undefined ? [draft] : [draft, published])
        for (const field of ['labels', 'parts', 'partner'] as const) takeOut(version, field, key)
  }

  /** False where it is refused: a title is required of what is published. */
  saveArticle(key: number, locale: string, body: ArticleBody, status: Status): boolean {
    const locales = this.articles.get(key) ?? new Map<string, Versions<Article>>()
    const [other] = locales.values()
    const before = locales.get(locale)?.draft ?? { title: null, views: other?.draft.views ?? null }
    const draft = { ...before, ...body }
    if (status === 'published' && draft.title === null) return false
    this.articles.set(key, locales)
    locales.set(locale, { ...locales.get(locale), draft })
    if (body.views !== undefined)
      for (const versions of locales.values()) versions.draft.views = body.views
    if (status === 'draft') return true
    const versions = locales.get(locale) ?? { draft }
    versions.published = { ...draft }
    for (const { published } of locales.values())
      if (published !== undefined) published.views = draft.views
    return true
  }

  discardArticle(key: number, locale: string): void {
    const locales = this.articles.get(key)
    const versions = locales?.get(locale)
    if (locales === undefined || versions?.published === undefined) return
    versions.draft = { ...versions.published }
    for (const { draft } of locales.values()) draft.views = versions.published.views
  }

  deleteArticle(key: number, locale: string): void {
    const locales = this.articles.get(key)
    if (locale !== '*') locales?.delete(locale)
    if (locale === '*' || locales?.size === 0) this.articles.delete(key)
  }

  #editLabels(
    key: number,
    { connect, disconnect }: LabelBody,
    of: Status,
    connected: number,
    note: (field: 'labels', album: number, connected: number | null) => void,
  ): void {
    const out = disconnect === undefined ? undefined : this.albums.get(disconnect)?.[of]
    if (out !== undefined && disconnect !== undefined && disconnect !== connect)
      if (refIn(out, 'labels', key) !== undefined) {
        takeOut(out, 'labels', key)
        note('labels', disconnect, null)
      }
    if (connect === undefined || !this.albums.has(connect)) return
    if (this.albums.get(connect)?.[of] === undefined) return
    this.#put(connect, of, 'labels', { label: key, connected })
    note('labels', connect, connected)
  }

  #editWhole(
    key: number,
    album: number | null,
    of: Status,
    connected: number,
    note: (field: 'parts', album: number, connected: number | null) => void,
  ): void {
    const before = this.#holders(key, 'parts', of)
    for (const holder of before)
      if (holder !== album) {
        takeOut(this.#version(holder, of), 'parts', key)
        note('parts', holder, null)
      }
    if (album === null || before.includes(album) || this.albums.get(album)?.[of] === undefined)
      return
    this.#put(album, of, 'parts', { label: key, connected })
    note('parts', album, connected)
  }

  #editOwner(
    key: number,
    album: number | null,
    of: Status,
    connected: number,
    note: (field: 'partner', album: number, connected: number | null) => void,
  ): void {
    const before = this.#ownerOf(key, of)
    if (before !== undefined && before !== album) {
      this.#version(before, of).partner = null
      note('partner', before, null)
    }
    if (album === null || before === album || this.albums.get(album)?.[of] === undefined) return
    this.#marry(album, of, { label: key, connected })
    note('partner', album, connected)
  }

  #publishPending(
    key: number,
    pending: readonly { field: keyof Album; album: number; connected: number | null }[],
  ): void {
    const due = pending.filter(({ field, album, connected }) => {
      const versions = this.albums.get(album)
      if (versions?.published === undefined) return false
      if ((refIn(versions.draft, field, key)?.connected ?? null) !== connected) return false
      return refIn(versions.published, field, key)?.connected !== connected
    })
    for (const { field, album, connected } of due)
      if (connected === null) takeOut(this.#version(album, 'published'), field, key)
    for (const { field, album, connected } of due) {
      if (connected === null) continue
      const ref = { label: key, connected }
      if (field === 'partner') this.#marry(album, 'published', ref)
      else this.#put(album, 'published', field, ref)
    }
  }

  /** Puts a reference into a list; one that is there keeps its place. */
  #put(album: number, of: Status, field: ListName, ref: Ref): void {
    const version = this.#version(album, of)
    const at = version[field].findIndex(({ label }) => label === ref.label)
    if (at < 0) version[field].push(ref)
    else version[field][at] = ref
    if (field === 'parts') this.#settle(album, of, ref)
  }

  /** Of all albums that have a label among their parts, the one that connected it last keeps it. */
  #settle(album: number, of: Status, { label, connected }: Ref): void {
    for (const holder of this.#holders(label, 'parts', of)) {
      if (holder === album) continue
      const version = this.#version(holder, of)
      const theirs = refIn(version, 'parts', label)?.connected ?? 0
      takeOut(theirs > connected ? this.#version(album, of) : version, 'parts', label)
    }
  }

  #marry(album: number, of: Status, ref: Ref): void {
    const before = this.#ownerOf(ref.label, of)
    if (before !== undefined) this.#version(before, of).partner = null
    this.#version(album, of).partner = ref
  }

  #ownerOf(label: number, of: Status): number | undefined {
    return this.#holders(label, 'partner', of)[0]
  }

  #holders(label: number, field: keyof Album, of: Status): readonly number[] {
    return [...this.albums].flatMap(([key, versions]) => {
      const version = versions[of]
      return version !== undefined && refIn(version, field, label) !== undefined ? [key] : []
    })
  }

  #album(key: number): Versions<Album> {
    const album = this.albums.get(key)
    if (album === undefined) throw new Error(`There is no album ${key}`)
    return album
  }

  #version(key: number, of: Status): Album {
    const version = this.#album(key)[of]
    if (version === undefined) throw new Error(`Album ${key} has no ${of} version`)
    return version
  }

  #tick(): number {
    this.#clock += 1
    return this.#clock
  }
}

function refIn(album: Album, field: keyof Album, label: number): Ref | undefined {
  const value = album[field]
  if (Array.isArray(value)) return value.find((ref) => ref.label === label)
  return value?.label === label ? value : undefined
}

function takeOut(album: Album, field: keyof Album, label: number): void {
  if (field === 'partner') {
    if (album.partner?.label === label) album.partner = null
  } else album[field] = album[field].filter((ref) => ref.label !== label)
}
