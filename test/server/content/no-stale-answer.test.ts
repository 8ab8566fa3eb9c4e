import fc from 'fast-check'
import { expect } from 'chai'
import type { Settings } from '../../../server/settings/settings.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { runs } from '../../support/properties.js'

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      n: { type: 'integer' },
      label: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::label.label',
        inversedBy: 'notes',
      },
    },
  },
  'content-types/label.json': {
    kind: 'collectionType',
    info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
    attributes: {
      n: { type: 'integer' },
      notes: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::note.note',
        mappedBy: 'label',
      },
    },
  },
}

/** What the writers change: the number `n` of an entry, and the count of all notes. Both only grow. */
type Place = 'note 0' | 'note 1' | 'label 0' | 'label 1' | 'count'
type Entry = Readonly<{ documentId: string; n: number; label?: Entry; notes?: readonly Entry[] }>
type Listed = Readonly<{ data: readonly Entry[] | Entry; meta: { pagination?: { total: number } } }>

type Step =
  | Readonly<{ does: 'put' | 'set'; place: Exclude<Place, 'count'> }>
  | Readonly<{ does: 'post' }>
  | Readonly<{ does: 'get'; path: number }>

const places = ['note 0', 'note 1', 'label 0', 'label 1'] as const
const pathCount = 7
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('put' as const), place: fc.constantFrom(...places) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('set' as const), place: fc.constantFrom(...places) }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'post' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('get' as const), path: fc.nat(pathCount - 1) }),
  },
)
const anySteps = fc.array(anyStep, { minLength: 10, maxLength: 25 })

for (const [lane, settings] of Object.entries({
  'the main thread': {},
  threads: { 'pool.costThreshold': 0 },
}) as [string, Partial<Settings>][])
  describe(`reads concurrent with writes, served by ${lane} and the response cache`, () => {
    let app: TestApp
    const ids = new Map<Place, string>()
    /** For each place, the largest value that was sent, and the largest that a response has shown. */
    const sent = new Map<Place, number>()
    const shown = new Map<Place, number>()
    const recordShown = (place: Place, value: number): void =>
      void shown.set(place, Math.max(value, shown.get(place) ?? 0))
    const next = (place: Place): number => {
      const value = (sent.get(place) ?? 0) + 1
      sent.set(place, value)
      return value
    }
    const write = async (method: string, path: string, data: object): Promise<Entry> => {
      const answer = await app.request(method, path, { token: app.token, body: { data } })
      expect(answer.status, answer.text).to.be.within(200, 201)
      return (answer.body as { data: Entry }).data
    }
    before(async () => {
      app = await startApp({
        schema,
        settings: { ...settings, 'database.exclusive': true, 'metrics.enabled': true },
      })
      for (const index of [0, 1] as const) {
        const label = await write('POST', '/api/labels', { n: 0 })
        const note = await write('POST', '/api/notes', { n: 0, label: label.documentId })
        ids.set(`label ${index}`, label.documentId).set(`note ${index}`, note.documentId)
      }
      sent.set('count', 2)
      recordShown('count', 2)
    })
    after(() => app?.stop())

    const paths = (): readonly string[] => [
      `/api/notes/${ids.get('note 0')}?populate=label`,
      `/api/labels/${ids.get('label 1')}`,
      '/api/notes?populate=label&sort=documentId&pagination[pageSize]=100',
      '/api/labels?populate=notes&pagination[pageSize]=100',
      '/api/notes?filters[label][n][$gte]=0&sort=label.n:desc&pagination[pageSize]=100',
      '/api/notes?pagination[pageSize]=1',
      '/api/notes?filters[n][$gte]=0&fields=n&pagination[pageSize]=1',
    ]
    const seenIn = ({ data, meta }: Listed, seen = new Map<Place, number>()) => {
      const add = ({ documentId, n, label, notes = [] }: Entry): void => {
        for (const place of places) if (ids.get(place) === documentId) seen.set(place, n)
        if (label !== undefined && label !== null) add(label)
        notes.forEach(add)
      }
      ;[data].flat().forEach((entry) => add(entry))
      if (meta.pagination !== undefined && meta.pagination.total > 2)
        seen.set('count', meta.pagination.total)
      return seen
    }
    const stale: string[] = []
    const read = async (path: string): Promise<void> => {
      const least = new Map(shown)
      const answer = await app.request('GET', path, { token: app.token })
      expect(answer.status, answer.text).to.equal(200)
      const isOfNotes = path.startsWith('/api/notes')
      for (const [place, value] of seenIn(answer.body as Listed)) {
        if (place === 'count' && !isOfNotes) continue
        if (value < (least.get(place) ?? 0)) stale.push(`${path}: ${place} is ${value}`)
        recordShown(place, value)
      }
    }
    const runStep = async (step: Step): Promise<void> => {
      if (step.does === 'get') return read(paths()[step.path] ?? '')
      if (step.does === 'post') {
        const value = next('count')
        await write('POST', '/api/notes', { n: 0 })
        // Not `value`, because earlier creates may still be in flight.
        void value
        created += 1
        return recordShown('count', 2 + created)
      }
      const [type = ''] = step.place.split(' ')
      const value = next(step.place)
      if (step.does === 'put')
        await write('PUT', `/api/${type}s/${ids.get(step.place)}`, { n: value })
      else {
        const { db } = app.quire.services
        // Bypasses the API, as a repair does. If another writer has set a greater number, keeps that.
        const own = { documentId: ids.get(step.place) ?? '' }
        await db.collection(`${type}s`).updateOne(own, { $max: { n: value } })
      }
      recordShown(step.place, value)
    }
    let created = 0

    it('never return an older value than an earlier response', async () => {
      await fc.assert(
        fc.asyncProperty(anySteps, anySteps, async (one, other) => {
          // Each entry is changed by only one of the writers, because the order of concurrent writes would be unknown.
          const mine = (steps: readonly Step[], index: number) =>
            steps.filter((step) => !('place' in step) || step.place.endsWith(`${index}`))
          await Promise.all(
            [mine(one, 0), mine(other, 1)].map(async (steps) => {
              for (const step of steps) await runStep(step)
            }),
          )
          expect(stale.splice(0)).to.deep.equal([])
        }),
        { numRuns: runs(30) },
      )
      const { text } = await app.request('GET', '/metrics')
      const hits = Number(/^quire_answer_memory_hits_total (\d+)$/m.exec(text)?.[1])
      expect(hits).to.be.above(runs(20))
    }).timeout(240_000)
  })
