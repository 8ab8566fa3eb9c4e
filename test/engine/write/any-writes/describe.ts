import { expect } from 'chai'
import fc from 'fast-check'
import type { Draw, Verb } from './write.js'
import { Write } from './write.js'
import { statuses } from './document.js'
import { Model } from './model.js'
import { locales, Service } from './service.js'

/** Runs random writes on two processes. The API must show what a plain model shows, and nothing may need repair. */
export function describeAnyWrites(runs: number, length: number): void {
  describe(`API after a random sequence of writes (${runs} sequences)`, function () {
    this.timeout(runs * 20_000)
    let service: Service
    before(async () => {
      service = await Service.start()
    })
    after(() => service.stop())

    it('shows the same content as the model', () =>
      fc.assert(
        fc.asyncProperty(commands(length), async (sequence) => {
          await service.clear()
          const setup = () => ({ model: new Model(), real: service })
          await fc.asyncModelRun(setup, [...sequence, new Compare()])
        }),
        // On a failure, the message contains the seed. Shrinking a sequence takes longer than reading it.
        { numRuns: runs, endOnFailure: true },
      ))
  })
}

const draw = (of: readonly string[]): fc.Arbitrary<Draw> =>
  fc.record({
    client: fc.nat(1),
    type: fc.constantFrom(...of),
    verb: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Verb>('update') },
      { weight: 2, arbitrary: fc.constant<Verb>('create') },
      { weight: 4, arbitrary: fc.constantFrom<Verb>('publish', 'unpublish', 'discard-draft') },
      { weight: 1, arbitrary: fc.constant<Verb>('delete') },
    ),
    status: fc.constantFrom(...statuses),
    locale: fc.constantFrom(...locales),
    ifMatch: fc.oneof(
      { weight: 8, arbitrary: fc.constant('none' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('current' as const, 'stale' as const, 'unknown' as const),
      },
    ),
    numbers: fc.array(fc.nat(10_000), { minLength: 60, maxLength: 60 }),
  })

/** Groups of types whose documents refer to each other. If a run used all types, references would be rare. */
const groups = [
  ['album', 'label'],
  ['page', 'topic'],
  ['page', 'topic', 'note'],
  ['page', 'topic', 'place', 'label'],
  ['page', 'home', 'setting', 'topic'],
]

const commands = (length: number) =>
  fc.noBias(
    fc.constantFrom(...groups).chain((of) =>
      fc.array(
        draw(of).map((drawn) => new Write(drawn)),
        { minLength: Math.ceil(length / 2), maxLength: length, size: 'max' },
      ),
    ),
  )

class Compare implements fc.AsyncCommand<Model, Service> {
  check(): boolean {
    return true
  }

  async run(model: Model, service: Service): Promise<void> {
    await service.compare(model)
    expect(await service.leftovers()).to.deep.equal([])
    expect(await service.wronglyListed()).to.deep.equal([])
  }

  toString(): string {
    return 'compare'
  }
}
