import { createId } from '../../../engine/values/create-id.js'
import type { Client } from './client.js'
import { dataOf } from './client.js'

/** Which definitions a client needs: the former ones, before an update, or the newer ones, after it. */
export type Side = 'former' | 'newer'

/** A document after all its acknowledged writes. `own` contains the attributes that only one side has. */
export type Entry = {
  documentId: string
  title: string
  count: number
  label: string | null
  side: Side
  own: Readonly<Record<string, unknown>>
  french: boolean
}

/** Documents that the entries of one writer refer to. No other client writes them. */
export type Desk = Readonly<{ side: Side; label: string; person: string }>

/** Creates the documents that the entries of a writer refer to. */
export async function openDesk(side: Side, own: Client): Promise<Desk> {
  const make = async (path: string) =>
    dataOf(await own.ask('POST', path, [201], { body: { data: { name: createId() } } })).documentId
  return {
    side,
    label: await make('/api/labels'),
    person: side === 'newer' ? await make('/api/people') : '',
  }
}

/**
 * Creates and changes a document. Sometimes deletes it, and then resolves to undefined. The client `own` writes the
 * attributes that only one side has.
 */
export async function tellStory(
  { side, label, person }: Desk,
  own: Client,
  any: Client,
  turn: number,
): Promise<Entry | undefined> {
  const name = createId()
  const first = ownAttributes(side, name, label, person)
  const body = { data: { title: name, slug: name, count: 0, label, ...first } }
  const headers = { 'Idempotency-Key': name }
  const { documentId } = dataOf(await own.ask('POST', '/api/notes', [201], { body, headers }))
  const path = `/api/notes/${documentId}`
  const put = (client: Client, data: object, query = '') =>
    client.ask('PUT', `${path}${query}`, [200], { body: { data } })
  const act = (action: string) => any.ask('POST', `${path}/actions/${action}`, [200])

  await put(any, { title: `${name} draft` }, '?status=draft')
  const second = secondAttributes(side, name)
  await put(own, second, '?status=draft')
  await put(any, { title: `${name} fr` }, '?locale=fr')
  await act('publish')
  await put(any, { count: 2 })
  if (turn % 4 === 0) {
    await act('unpublish')
    await act('publish')
  }
  if (turn % 4 === 1) {
    await put(own, dropped(side), '?status=draft')
    await act('discard-draft')
  }
  if (turn % 4 === 2 && side === 'newer')
    for (const edit of ['disconnect', 'connect']) {
      const notes = { [edit]: [documentId] }
      await own.ask('PUT', `/api/people/${person}`, [200], { body: { data: { notes } } })
      await act('publish')
    }
  const isTaken = turn % 2 === 0
  if (isTaken)
    await any.ask('PUT', `/api/labels/${label}`, [200], {
      body: { data: { notes: { disconnect: [documentId] } } },
    })
  if (turn % 5 === 0) {
    await any.ask('DELETE', `${path}?locale=*`, [204])
    await any.ask('GET', path, [404])
    return undefined
  }
  return {
    ...{ documentId, title: `${name} draft`, count: 2, label: isTaken ? null : label },
    ...{ side, own: { ...first, ...second }, french: true },
  }
}

function ownAttributes(side: Side, name: string, label: string, person: string) {
  if (side === 'former') return { legacy: name, badge: name, source: label }
  const sections = [
    { __component: 'block.text', body: name },
    { __component: 'block.quote', words: name, of: label },
  ]
  return { text: name, code: name, rank: 1, seo: { metaTitle: name }, editor: person, sections }
}

const secondAttributes = (side: Side, name: string): object =>
  side === 'former'
    ? { legacy: `${name} 2` }
    : { text: `${name} 2`, rank: 2, seo: { metaTitle: `${name} 2` } }

const dropped = (side: Side): object =>
  side === 'former' ? { legacy: 'dropped' } : { text: 'dropped', editor: null }

/** Changes an existing document through any instance. Either side may have created the document. */
export async function touch(entry: Entry, any: Client, turn: number): Promise<void> {
  const path = `/api/notes/${entry.documentId}`
  const act = (action: string) => any.ask('POST', `${path}/actions/${action}`, [200])
  const put = (data: object, query = '') =>
    any.ask('PUT', `${path}${query}`, [200], { body: { data } })
  switch (turn % 4) {
    case 0:
      await put({ count: entry.count + 1 })
      entry.count += 1
      return
    case 1:
      await act('unpublish')
      await act('publish')
      return
    case 2:
      await put({ title: 'dropped' }, '?status=draft')
      await act('discard-draft')
      return
    default:
      await any.ask('DELETE', `${path}?locale=fr`, [204])
      await put({ title: 'fr again' }, '?locale=fr')
  }
}

/**
 * Creates a document that refers to a label in attributes that only one side has. Then deletes the label through any
 * instance.
 */
export async function removeTarget(desk: Desk, own: Client, any: Client): Promise<Entry> {
  const name = createId()
  const body = { data: { name } }
  const target = dataOf(await any.ask('POST', '/api/labels', [201], { body })).documentId
  const first = ownAttributes(desk.side, name, target, desk.person)
  const data = { title: name, slug: name, count: 0, ...first }
  const { documentId } = dataOf(await own.ask('POST', '/api/notes', [201], { body: { data } }))
  await any.ask('DELETE', `/api/labels/${target}`, [204])
  const after = ownAttributes(desk.side, name, '', desk.person)
  return {
    ...{ documentId, title: name, count: 0, label: null },
    ...{ side: desk.side, own: after, french: false },
  }
}
