import type { PlainObject } from '../../engine/values/is-object.js'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { chunksOf } from '../../engine/values/batches.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { ensureLocales, grantToPublic, withToken, type AdminLogin } from './access.js'
import { openAdminFetch, Refusal } from '../admin-client.js'
import { clientOver, type ApiClient } from './api-client.js'

export type SeedOptions = Readonly<{
  base: string
  admin: AdminLogin
}>

/** Number of created items by kind. All are zero if the content already existed. */
export type SeedReport = Readonly<Record<string, number>>

/** The content of `demo.json`. Each type comes after the types that its entries refer to. */
type Demo = Readonly<{
  locales: Readonly<Record<string, string>>
  collectionTypes: readonly string[]
  singleTypes: readonly string[]
  publicActions: readonly string[]
}>

/**
 * The writes of a document. The first one creates it. Further ones add locales, or leave unpublished changes. Strings
 * such as `@articles/the-dark-valley` stand for the ids of items that were created earlier.
 */
type Document = readonly Write[]
type Write = Readonly<{ locale?: string; status?: string; data: PlainObject }>

type Entry = Readonly<{ documentId: string; slug: string; locale?: string | null }>
type Picture = Readonly<{ name: string; alternativeText: string; caption?: string }>

const folder = path.join(packageRoot, 'schema', 'demo')
const defaultLocale = 'en'

/**
 * Loads the demo magazine (`schema/demo`) through the REST API. Only creates what is missing. Throws before anything is
 * written if the service lacks one of the content-types.
 */
export async function seedDemo({ base, admin: login }: SeedOptions): Promise<SeedReport> {
  const demo = await readDemo<Demo>('demo')
  const admin = clientOver(await openAdminFetch({ url: base, credentials: login }))
  await checkTypes(admin, demo)
  const locales = await ensureLocales(admin, demo.locales)
  const created = await withToken(base, admin, async (client) => {
    const loader = new Loader(client, demo)
    await loader.loadPictures()
    for (const name of demo.collectionTypes) await loader.loadCollection(name)
    for (const name of demo.singleTypes) await loader.loadSingle(name)
    return loader.created
  })
  // Grant public access last, so that no visitor sees an incomplete magazine.
  await grantToPublic(admin, demo.publicActions)
  return { locales, ...created }
}

async function checkTypes(admin: ApiClient, { publicActions }: Demo): Promise<void> {
  const { data } = await admin.get<{ data: readonly Readonly<{ uid: string }>[] }>(
    '/content-type-builder/content-types',
  )
  const served = new Set(data.map(({ uid }) => uid))
  const needed = new Set(publicActions.map((action) => action.slice(0, action.lastIndexOf('.'))))
  const missing = [...needed].filter((uid) => !served.has(uid))
  if (missing.length > 0)
    throw new Error(
      `The service does not have the content-types of the demo: ${missing.join(', ')}. \`quire seed\` fills a service that was started with schema/demo.`,
    )
}

async function readDemo<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')) as T
}

class Loader {
  readonly created: Record<string, number>
  readonly #client: ApiClient
  /** Ids of items, by strings such as `@pictures/red-band.jpg`. */
  readonly #ids = new Map<string, number | string>()

  constructor(client: ApiClient, { collectionTypes, singleTypes }: Demo) {
    this.#client = client
    const names = ['pictures', ...collectionTypes, ...singleTypes, 'translations', 'changes']
    this.created = Object.fromEntries(names.map((name) => [name, 0]))
  }

  /** Uploads the missing pictures in batches, because the service resizes all pictures of an upload concurrently. */
  async loadPictures(): Promise<void> {
    const files = await this.#list<{ id: number; name: string }>('/api/upload/files?fields=name')
    this.#keepIds(files)
    const pictures = await readDemo<readonly Picture[]>('pictures')
    const missing = pictures.filter(({ name }) => !this.#ids.has(`@pictures/${name}`))
    for (const some of chunksOf(missing, picturesPerUpload)) {
      const form = new FormData()
      for (const { name, ...fileInfo } of some) {
        const bytes = await readFile(path.join(folder, 'pictures', name))
        form.append('files', new Blob([bytes], { type: 'image/jpeg' }), name)
        form.append('fileInfo', JSON.stringify(fileInfo))
      }
      this.#keepIds(await this.#client.post('/api/upload', form))
    }
    this.created.pictures = missing.length
  }

  async loadCollection(plural: string): Promise<void> {
    const path = `/api/${plural}`
    const entries = await this.#list<Entry>(`${path}?status=draft&locale=*`)
    const versions = new Set<string>()
    for (const { documentId, slug, locale } of entries) {
      versions.add(`${documentId} ${locale ?? defaultLocale}`)
      if ((locale ?? defaultLocale) === defaultLocale)
        this.#ids.set(`@${plural}/${slug}`, documentId)
    }
    for (const writes of await readDemo<readonly Document[]>(plural)) {
      const name = `@${plural}/${String(writes[0]?.data.slug)}`
      for (const { data, ...search } of writes) {
        const { locale = defaultLocale } = search
        const documentId = this.#ids.get(name)
        if (versions.has(`${documentId} ${locale}`)) continue
        const body = this.#bodyOf(data)
        if (documentId === undefined) {
          const created = await this.#client.post<{ data: Entry }>(pathOf(path, search), body)
          this.#ids.set(name, created.data.documentId)
          this.#count(plural)
        } else {
          await this.#client.put(pathOf(`${path}/${documentId}`, search), body)
          this.#count(locale === defaultLocale ? 'changes' : 'translations')
        }
      }
    }
  }

  async loadSingle(name: string): Promise<void> {
    for (const { data, ...search } of (await readDemo<readonly Document[]>(name)).flat()) {
      const path = pathOf(`/api/${name}`, search)
      if (await this.#exists(path)) continue
      await this.#client.put(path, this.#bodyOf(data))
      this.#count(search.locale === undefined ? name : 'translations')
    }
  }

  #keepIds(files: readonly Readonly<{ id: number; name: string }>[]): void {
    for (const { id, name } of files) this.#ids.set(`@pictures/${name}`, id)
  }

  #count(what: string): void {
    this.created[what] = (this.created[what] ?? 0) + 1
  }

  /** Replaces strings such as `@pictures/red-band.jpg` by ids. Throws if the demo content lacks an id. */
  #bodyOf(data: Write['data']): unknown {
    return JSON.parse(JSON.stringify({ data }), (_key, value: unknown) => {
      if (typeof value !== 'string' || !value.startsWith('@')) return value
      const id = this.#ids.get(value)
      if (id === undefined)
        throw new Error(`The demo content refers to "${value}", which does not exist`)
      return id
    })
  }

  async #list<T>(path: string): Promise<readonly T[]> {
    const all: T[] = []
    for (let page = 1; ; page++) {
      const search = `sort=id&pagination[page]=${page}&pagination[pageSize]=${pageSize}`
      const answer = await this.#client.get<readonly T[] | { data: readonly T[] }>(
        `${path}&${search}`,
      )
      const some = 'data' in answer ? answer.data : answer
      all.push(...some)
      if (some.length < pageSize) return all
    }
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await this.#client.get(path)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return false
      throw error
    }
  }
}

const pageSize = 100
const picturesPerUpload = 8

const pathOf = (path: string, search: Omit<Write, 'data'>): string =>
  `${path}?${new URLSearchParams(search).toString()}`
