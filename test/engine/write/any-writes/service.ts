import { expect } from 'chai'
import type { Finding } from '../../../../engine/repair.js'
import { repairContent } from '../../../../engine/repair.js'
import { testDatabaseUri } from '../../../support/database.js'
import type { TestApp } from '../../../support/test-app.js'
import { startApp } from '../../../support/start-app.js'
import { wronglyListed } from '../listed-references.js'
import type { Content } from './content.js'
import { partsIn } from './content.js'
import { definitions } from './definitions.js'
import type { Model } from './model.js'
import { statuses } from './document.js'
import type { Scope } from './shown.js'
import { differences, expectedIn, populateAll, renumbered, shownOf } from './shown.js'
import type { Type } from './structures.js'
import { types } from './structures.js'

type Base = NonNullable<ReturnType<Model['base']>>
type Json = Readonly<Record<string, unknown>>

export const locales = ['en', 'fr']

/** In ms: a little longer than the interval at which a process checks the journal of its writes. */
const longest = 160_000

/** Time limits that a busy machine does not exceed. */
const patient = { 'api.rest.queryTimeoutMs': 120_000, 'api.rest.writeTimeoutMs': 120_000 }

/** Two processes on one database. Both have to show the same content as the model. */
export class Service {
  /** documentIds of documents and files by the model's keys. The keys of files are negative. */
  readonly documents = new Map<number, string>()
  readonly components = new Map<number, number>()
  readonly files: number[] = []

  private constructor(readonly apps: readonly TestApp[]) {}

  static async start(): Promise<Service> {
    const schema = Object.fromEntries(
      definitions.map(({ kind, uid, definition }) =>
        kind === 'component'
          ? [`components/${uid.replace('.', '/')}.json`, definition as object]
          : [`content-types/${uid.split('.')[1] ?? uid}.json`, definition as object],
      ),
    )
    const databaseUri = await testDatabaseUri()
    const apps = [
      await startApp({ databaseUri, schema, settings: patient }),
      await startApp({ databaseUri, schema, settings: patient }),
    ] as const
    const [{ request, adminJwt }] = apps
    const body = { code: 'fr', name: 'fr', isDefault: false }
    await request('POST', '/i18n/locales', { token: adminJwt, body })
    const service = new Service(apps)
    for (const key of [-1, -2, -3]) await service.#upload(key)
    // Wait until the other process knows the locale.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    return service
  }

  async stop(): Promise<void> {
    for (const app of this.apps) await app.stop()
  }

  async clear(): Promise<void> {
    const { db } = this.#first.quire.services
    for (const { name } of types.values())
      for (const collection of [`${name}s`, `${name}s.draft`])
        await db.collection(collection).deleteMany({})
    await db.collection('_singles').deleteMany({})
    for (const key of this.documents.keys()) if (key >= 0) this.documents.delete(key)
    this.components.clear()
  }

  request(
    client: number,
    method: string,
    path: string,
    more: { body?: object; etag?: string } = {},
  ) {
    const app = this.apps[client] as TestApp
    return app.request(method, `/api/${path}`, {
      token: app.token,
      ...(more.body && { body: { data: more.body } }),
      ...(more.etag !== undefined && { headers: { 'If-Match': more.etag } }),
    })
  }

  /** Records the ids that the service gave to components, because a body can only name components by their ids. */
  async learnComponents(type: Type, path: string, { locale, content }: Base): Promise<void> {
    const search = `status=draft&locale=${locale}&${populateAll(type)}`
    const { body } = await this.request(0, 'GET', `${path}?${search}`)
    const { data } = body as { data: Json }
    const learn = (content: Content, entry: Json): void => {
      for (const [name, value] of Object.entries(content)) {
        if (!Array.isArray(value)) continue
        const shown = [entry[name]].flat() as Json[]
        for (const [at, part] of partsIn(content, name).entries()) {
          if (!('content' in part)) continue
          this.components.set(part.id, Number(shown[at]?.['id']))
          learn(part.content, shown[at] ?? {})
        }
      }
    }
    learn(content, data)
  }

  /** Compares everything that can be read with the model, from both processes in turn. */
  async compare(model: Model): Promise<void> {
    const keys = new Map([...this.documents].map(([key, id]) => [id, key]))
    const shown: Record<string, Json> = {}
    const expected: Record<string, Json> = {}
    let turn = 0
    for (const type of types.values())
      for (const status of statuses)
        for (const locale of locales) {
          turn += 1
          const label = `${type.name} ${status} ${locale} at process ${turn % 2}`
          shown[label] = await this.#read(turn % 2, type, { status, locale }, keys)
          expected[label] = expectedIn(model, type, { status, locale })
        }
    const found = differences(renumbered(shown), renumbered(expected))
    expect(found, found.join('\n')).to.have.length(0)
  }

  async wronglyListed(): Promise<readonly string[]> {
    const { db, registry } = this.#first.quire.services
    return wronglyListed(db, registry())
  }

  /**
   * Returns what needs repair. References to a deleted document are only removed after some time, so this waits for
   * that.
   */
  async leftovers(): Promise<readonly unknown[]> {
    const { db, registry } = this.#first.quire.services
    for (const since = Date.now(); ;) {
      const findings: Finding[] = []
      await repairContent({
        ...{ db, registry: registry(), repairs: false },
        found: (finding) => findings.push(finding),
      })
      const mayGo = findings.length > 0 && findings.every(({ kind }) => kind === 'missing-target')
      if (!mayGo || Date.now() - since > longest) return findings
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async #read(
    client: number,
    type: Type,
    { status, locale }: Scope,
    keys: ReadonlyMap<string, number>,
  ): Promise<Json> {
    const search = `status=${status}&locale=${locale}&${populateAll(type)}`
    const path = type.single ? type.name : `${type.name}s`
    const { status: code, text, body } = await this.request(client, 'GET', `${path}?${search}`)
    if (type.single && code === 404) return {}
    expect(code, text).to.equal(200)
    const entries = [(body as { data: Json | Json[] }).data].flat()
    return Object.fromEntries(
      entries.map((entry) => [
        String(keys.get(String(entry['documentId']))),
        shownOf(type.fields, entry, keys),
      ]),
    )
  }

  async #upload(key: number): Promise<void> {
    const form = new FormData()
    form.append('files', new Blob([`file ${key}`], { type: 'text/plain' }), `${-key}.txt`)
    const { token, request } = this.#first
    const { status, text, body } = await request('POST', '/api/upload', { token, body: form })
    expect(status, text).to.equal(201)
    this.documents.set(key, (body as [{ documentId: string }])[0].documentId)
    this.files.push(key)
  }

  get #first(): TestApp {
    return this.apps[0] as TestApp
  }
}
