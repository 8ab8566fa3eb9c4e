import { expect } from 'chai'
import type fc from 'fast-check'
import type { Answer } from '../../../support/request.js'
import { Dice } from './dice.js'
import { drawBody } from './draw-body.js'
import type { Status } from './document.js'
import type { Model } from './model.js'
import { payloadOf } from './payload.js'
import type { Service } from './service.js'
import { locales } from './service.js'
import type { Type } from './structures.js'
import { types } from './structures.js'

export type Verb = 'create' | 'update' | 'publish' | 'unpublish' | 'discard-draft' | 'delete'

/** The random part of a write. The document and its content are drawn later, from those that exist then. */
export type Draw = Readonly<{
  client: number
  type: string
  verb: Verb
  status: Status
  locale: string
  /**
   * The ETag to send: none, that of a GET (`current`), that of a GET before another write (`stale`), or an invented
   * one.
   */
  ifMatch: 'none' | 'current' | 'stale' | 'unknown'
  numbers: readonly number[]
}>

/** A write that is sent to the service and applied to the model. */
export class Write implements fc.AsyncCommand<Model, Service> {
  #log = ''

  constructor(readonly drawn: Draw) {}

  check(): boolean {
    return true
  }

  toString(): string {
    return `\n  ${this.#log}`
  }

  async run(model: Model, service: Service): Promise<void> {
    const { drawn } = this
    const type = types.get(drawn.type) as Type
    const dice = new Dice(drawn.numbers)
    const known = model.keysOf(type.name)
    const isSave = drawn.verb === 'create' || drawn.verb === 'update'
    const isNew = type.single
      ? known.length === 0
      : drawn.verb === 'create' || (isSave && known.length < 2)
    const key = isNew ? model.newNumber() : dice.pick(known)
    if (key === undefined) return
    const target = { type, key, path: pathOf(service, type, key, isNew) }
    if (isSave) await this.#save(model, service, target, dice, isNew)
    else if (drawn.verb === 'delete') await this.#remove(model, service, target, dice)
    else await this.#act(model, service, target, drawn.verb)
  }

  async #save(model: Model, service: Service, target: Target, dice: Dice, isNew: boolean) {
    const { status, locale } = this.drawn
    const { type, key, path } = target
    const base = model.base(key, locale)
    if (base) await service.learnComponents(type, path, base)
    const drawing = { model, dice, key, type, locale, locales, files: service.files }
    const body = drawBody(drawing, type.fields, base?.content)
    const etag = isNew ? undefined : await this.#tag(model, service, target, status)
    const sent = { body: payloadOf(type.fields, body, service), ...(etag && { etag: etag.tag }) }
    const isKnown = model.knows(key, type, locale, type.fields, body)
    const isRefused =
      !isKnown || etag?.isGood === false || !model.save(key, type, locale, body, status)
    const method = isNew && !type.single ? 'POST' : 'PUT'
    const search = `?status=${status}&locale=${locale}`
    const answer = await this.#send(service, method, `${path}${search}`, sent)
    // If both the body and the ETag are wrong, the response reports whichever error is found first.
    if (etag?.isGood === false) expect(answer.status, answer.text).to.be.oneOf([400, 412])
    else this.#expect(answer, isRefused ? 400 : method === 'POST' ? 201 : 200)
    if (isNew && !isRefused)
      service.documents.set(key, (answer.body as { data: { documentId: string } }).data.documentId)
  }

  async #remove(model: Model, service: Service, target: Target, dice: Dice): Promise<void> {
    const locale = dice.once(4) ? '*' : this.drawn.locale
    const etag = locale === '*' ? undefined : await this.#tag(model, service, target, 'published')
    const sent = etag && { etag: etag.tag }
    const answer = await this.#send(service, 'DELETE', `${target.path}?locale=${locale}`, sent)
    this.#expect(answer, etag?.isGood === false ? 412 : 204)
    if (etag?.isGood !== false) model.remove(target.key, locale)
  }

  async #act(
    model: Model,
    service: Service,
    { type, key, path }: Target,
    verb: Exclude<Verb, 'create' | 'update' | 'delete'>,
  ): Promise<void> {
    const { locale } = this.drawn
    const entry = model.entry(key, locale)
    const exists = type.drafts && entry && (verb !== 'discard-draft' || entry.published)
    const isDone = exists && (verb !== 'publish' || model.save(key, type, locale, {}, 'published'))
    if (isDone && verb === 'unpublish') delete entry.published
    if (isDone && verb === 'discard-draft') model.discard(key, type.localized ? locale : '')
    const answer = await this.#send(service, 'POST', `${path}/actions/${verb}?locale=${locale}`)
    this.#expect(answer, isDone ? 200 : exists ? 400 : 404)
  }

  /** Returns the ETag to send, if any, and whether it must be accepted. */
  async #tag(
    model: Model,
    service: Service,
    { type, key, path }: Target,
    status: Status,
  ): Promise<{ tag: string; isGood: boolean } | undefined> {
    const { ifMatch, locale } = this.drawn
    if (ifMatch === 'none') return undefined
    if (ifMatch === 'unknown') return { tag: '"1-abc"', isGood: false }
    const search = `?status=${status}&locale=${locale}`
    const { status: code, headers } = await service.request(0, 'GET', `${path}${search}`)
    const tag = headers.get('etag') ?? ''
    if (code !== 200) return undefined
    if (ifMatch === 'current') return { tag, isGood: true }
    if (!model.save(key, type, locale, {}, status)) return undefined
    this.#expect(await this.#send(service, 'PUT', `${path}${search}`, { body: {} }), 200)
    return { tag, isGood: false }
  }

  #send(
    service: Service,
    method: string,
    path: string,
    more: { body?: object; etag?: string } = {},
  ): Promise<Answer> {
    const { client } = this.drawn
    this.#log += `${client}: ${method} ${path} ${more.etag ?? ''} ${JSON.stringify(more.body ?? '')}; `
    return service.request(client, method, path, more)
  }

  #expect({ status, text }: Answer, expected: number): void {
    expect(status, `${this.#log}: ${text}`).to.equal(expected)
  }
}

type Target = Readonly<{ type: Type; key: number; path: string }>

function pathOf({ documents }: Service, type: Type, key: number, isNew: boolean): string {
  if (type.single) return type.name
  return isNew ? `${type.name}s` : `${type.name}s/${documents.get(key) ?? ''}`
}
