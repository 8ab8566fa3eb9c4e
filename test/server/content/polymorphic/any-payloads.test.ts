import { expect } from 'chai'
import fc from 'fast-check'
import type { Notes, Shown } from './start-notes.js'
import { article, author, startNotes } from './start-notes.js'
import { runs } from '../../../support/properties.js'

type Payload = Readonly<
  { set: readonly number[] } | { connect: readonly number[]; disconnect: readonly number[] }
>

type Step =
  | Readonly<{ kind: 'note'; at: number; payload: Payload }>
  | Readonly<{ kind: 'target'; at: number; payload: Payload }>
  | Readonly<{ kind: 'delete'; at: number }>

const noteCount = 3
/** Number of targets. The first half of them are articles, the others authors. */
const targetCount = 4
const typeAt = (target: number): string => (target < targetCount / 2 ? article : author)
const pathAt = (target: number): string => (target < targetCount / 2 ? 'articles' : 'authors')

const payloadOf = (count: number): fc.Arbitrary<Payload> => {
  const some = fc.uniqueArray(fc.nat({ max: count - 1 }), { maxLength: count })
  return fc.oneof(fc.record({ set: some }), fc.record({ connect: some, disconnect: some }))
}
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('note' as const),
      at: fc.nat({ max: noteCount - 1 }),
      payload: payloadOf(targetCount),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('target' as const),
      at: fc.nat({ max: targetCount - 1 }),
      payload: payloadOf(noteCount),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      at: fc.nat({ max: targetCount - 1 }),
    }),
    weight: 1,
  },
)

class Model {
  readonly ofNote: number[][] = Array.from({ length: noteCount }, () => [])
  readonly ofTarget: number[][] = Array.from({ length: targetCount }, () => [])
  readonly deleted = new Set<number>()

  withoutDeleted(payload: Payload): Payload {
    const left = (list: readonly number[]) => list.filter((target) => !this.deleted.has(target))
    return 'set' in payload
      ? { set: left(payload.set) }
      : { connect: left(payload.connect), disconnect: left(payload.disconnect) }
  }

  write(near: number[][], far: number[][], at: number, payload: Payload): void {
    const before = near[at] ?? []
    const after = changed(before, payload)
    near[at] = after
    for (const other of before.filter((one) => !after.includes(one)))
      far[other] = (far[other] ?? []).filter((one) => one !== at)
    for (const other of after.filter((one) => !before.includes(one))) far[other]?.push(at)
  }

  remove(target: number): void {
    this.deleted.add(target)
    this.ofNote.forEach((list, at) => (this.ofNote[at] = list.filter((one) => one !== target)))
    this.ofTarget[target] = []
  }
}

function changed(before: readonly number[], payload: Payload): number[] {
  if ('set' in payload) return [...payload.set]
  const { connect, disconnect } = payload
  const left = before.filter((one) => !disconnect.includes(one))
  return [...left.filter((one) => !connect.includes(one)), ...connect]
}

describe('polymorphic relation after random writes from both sides', () => {
  let notes: Notes
  before(async () => {
    notes = await startNotes()
  })
  after(() => notes.app.stop())

  it('shows on each side what a simple model of lists predicts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const [entries, targets] = await makeEntries()
        const model = new Model()
        for (const step of steps) await take(step, model, entries, targets)
        for (const query of ['', '&status=draft'])
          expect(await read(query, model, entries, targets)).to.deep.equal(modelOf(model))
      }),
      { numRuns: runs(12) },
    )
  }).timeout(180_000)

  async function makeEntries(): Promise<readonly [readonly Shown[], readonly Shown[]]> {
    const entries: Shown[] = []
    for (let at = 0; at < noteCount; at += 1)
      entries.push(await notes.make('notes', { text: `${at}` }))
    const targets: Shown[] = []
    for (let at = 0; at < targetCount; at += 1) targets.push(await notes.make(pathAt(at), {}))
    return [entries, targets]
  }

  async function take(
    step: Step,
    model: Model,
    entries: readonly Shown[],
    targets: readonly Shown[],
  ): Promise<void> {
    const { at } = step
    if (step.kind !== 'note' && model.deleted.has(at)) return
    const path = `${pathAt(at)}/${targets[at]?.documentId}`
    if (step.kind === 'delete') {
      await notes.app.request('DELETE', `/api/${path}`, { token: notes.app.token })
      return model.remove(at)
    }
    if (step.kind === 'note') {
      const payload = model.withoutDeleted(step.payload)
      const named = (target: number) => ({
        __type: typeAt(target),
        documentId: targets[target]?.documentId,
      })
      await notes.put(`notes/${entries[at]?.documentId}`, { related: mapped(payload, named) })
      return model.write(model.ofNote, model.ofTarget, at, payload)
    }
    const named = (note: number) => ({ documentId: entries[note]?.documentId })
    await notes.put(path, { notes: mapped(step.payload, named) })
    model.write(model.ofTarget, model.ofNote, at, step.payload)
  }

  async function read(
    query: string,
    model: Model,
    entries: readonly Shown[],
    targets: readonly Shown[],
  ): Promise<unknown> {
    const places = new Map(
      [...entries, ...targets].map((entry, at) => [
        entry.documentId,
        at < noteCount ? at : at - noteCount,
      ]),
    )
    const numbers = (shown: unknown) =>
      (shown as readonly Shown[]).map(({ documentId }) => places.get(documentId))
    const ofNote: unknown[] = []
    for (const { documentId } of entries)
      ofNote.push(
        numbers((await notes.get(`notes/${documentId}?populate=related${query}`))['related']),
      )
    const ofTarget: unknown[] = []
    for (const [at, { documentId }] of targets.entries())
      ofTarget.push(
        model.deleted.has(at)
          ? []
          : numbers(
              (await notes.get(`${pathAt(at)}/${documentId}?populate=notes${query}`))['notes'],
            ),
      )
    return { ofNote, ofTarget }
  }
})

const modelOf = ({ ofNote, ofTarget }: Model) => ({ ofNote, ofTarget })

function mapped(payload: Payload, make: (at: number) => object): object {
  return Object.fromEntries(
    Object.entries(payload).map(([key, list]: [string, readonly number[]]) => [
      key,
      list.map(make),
    ]),
  )
}
