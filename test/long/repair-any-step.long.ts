import { createId } from '../../engine/values/create-id.js'
import { expect } from 'chai'
import type { Finding } from '../../engine/repair.js'
import type { AffectedData } from '../../engine/repair.js'
import { repairContent, repairAffected } from '../../engine/repair.js'
import type { DocumentAction, WriteContext } from '../../engine/write.js'
import {
  actOnDocument,
  createDocument,
  deleteDocument,
  updateDocument,
} from '../../engine/write.js'
import { repairModel } from '../engine/repair/repair-model.js'
import type { Writing } from '../engine/write/start-writing.js'
import { draft, inLocale, published, startWriting } from '../engine/write/start-writing.js'
import { Stopped, stoppedAt } from '../engine/write/stepping.js'

describe('write interrupted between any two steps', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting(repairModel, { transactions: false })
  })
  after(() => writing.stop())

  const create = async (name: string, data: unknown, scope = published) =>
    (await createDocument(writing.context, writing.type(name), scope, data)).documentId
  const repair = async () => {
    const { db, registry } = writing
    const findings: Finding[] = []
    const found = (finding: Finding) => findings.push(finding)
    await repairContent({ db, registry, repairs: true, found })
    return findings
  }
  /** Journal entries that the last interrupted write has left. */
  let journaled: AffectedData[] = []
  const repairJournaled = async () => {
    const { db, registry } = writing
    const options = { db, registry, repairs: true, found: () => undefined }
    await repairAffected(options, journaled)
  }
  const cutOff = async (at: number, write: (context: WriteContext) => Promise<unknown>) => {
    const { db, taken } = stoppedAt(writing.db, at)
    journaled = []
    const journal = { add: (one: AffectedData) => `${createId()} ${journaled.push(one)}` }
    try {
      await write({ ...writing.context, db, journal })
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
    }
    return taken
  }
  const act = (context: WriteContext, id: string | undefined, action: DocumentAction) =>
    actOnDocument(context, writing.type('label'), id ?? '', published, action)

  let labels: readonly string[]
  let album: string
  let post: string
  const setUp = async () => {
    await writing.clear()
    const { context, type } = writing
    labels = [await create('label', {}), await create('label', {})]
    const [one, two] = labels
    album = await create('album', { labels, parts: [one], partner: one, links: [{ to: two }] })
    await create('album', { parts: [two], partner: two })
    await updateDocument(context, type('label'), two ?? '', draft, { albums: [], owner: album })
    post = await create('post', { views: 1, code: 'a' })
    await updateDocument(context, type('post'), post, inLocale('fr'), {})
    await updateDocument(context, type('post'), post, inLocale('de', 'draft'), { views: 2 })
  }

  const writes: Readonly<Record<string, (context: WriteContext) => Promise<unknown>>> = {
    'a create with relations': (context) =>
      createDocument(context, writing.type('album'), published, {
        ...{ labels, parts: labels, partner: labels[1], links: [{ to: labels[0] }] },
      }),
    'a create on the inverse side': (context) =>
      createDocument(context, writing.type('label'), published, {
        ...{ albums: [album], whole: album, owner: album },
      }),
    'an update that steals relations': (context) =>
      updateDocument(context, writing.type('album'), album, published, {
        ...{ labels: [], parts: labels, partner: labels[1] },
      }),
    'an update of the draft of the inverse side': (context) =>
      updateDocument(context, writing.type('label'), labels[1] ?? '', draft, {
        ...{ albums: [album], whole: album, owner: null },
      }),
    'an update of the inverse side': (context) =>
      updateDocument(context, writing.type('label'), labels[1] ?? '', published, {
        ...{ albums: [album], whole: album },
      }),
    'a publish': (context) => act(context, labels[1], 'publish'),
    'an unpublish': (context) => act(context, labels[1], 'unpublish'),
    'a discard': (context) => act(context, labels[1], 'discard-draft'),
    'a delete': (context) =>
      deleteDocument(context, writing.type('label'), labels[1] ?? '', published),
    'an update of an attribute that locales share': (context) =>
      updateDocument(context, writing.type('post'), post, inLocale('fr'), {
        views: 3,
        code: 'c',
      }),
    'a delete of all locales': (context) =>
      deleteDocument(context, writing.type('post'), post, inLocale('*')),
  }
  const repairs = { 'all content': repair, 'the journal': repairJournaled }
  for (const [scope, repairNow] of Object.entries(repairs))
    for (const [name, write] of Object.entries(writes))
      it(`leaves no errors after a repair of ${scope}: ${name}`, async function () {
        this.timeout(60_000)
        let steps = 0
        for (let isCut = true; isCut; steps += 1) {
          await setUp()
          isCut = (await cutOff(steps, write)).length > steps
          await repairNow()
          expect(await repair(), `stopped before write ${steps}`).to.deep.equal([])
          // After the repair, runs the write again from the beginning.
          await write(writing.context).catch(() => undefined)
          expect(await repair(), `repeated after write ${steps}`).to.deep.equal([])
        }
        expect(steps).to.be.greaterThan(2)
      })
})
