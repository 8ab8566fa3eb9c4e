import { expect } from 'chai'
import { actOnDocument, createDocument, updateDocument } from '../../../engine/write.js'
import { component, contentType, relation } from './model.js'
import type { Writing } from './start-writing.js'
import { draft, published, refusal, startWriting } from './start-writing.js'

const card = {
  label: { type: 'string', required: true },
  one: { type: 'component', component: 'shop.price', required: true },
  prices: { type: 'component', component: 'shop.price', repeatable: true, min: 1, max: 2 },
  must: { type: 'component', component: 'shop.price', repeatable: true, required: true },
  zone: { type: 'dynamiczone', components: ['shop.price'], required: true, min: 1, max: 2 },
  cover: { type: 'media', required: true },
  pictures: { type: 'media', multiple: true, required: true },
  maker: { ...relation('manyToOne', 'maker'), required: true },
  makers: { ...relation('manyToMany', 'maker'), required: true },
}
const model = (drafts: boolean) => [
  component('shop.price', { amount: { type: 'integer', required: true } }),
  contentType('maker', { name: { type: 'string' } }),
  contentType('card', card, { drafts }),
]
const within = {
  one: {},
  prices: [{}],
  must: [{ amount: 1 }],
  zone: [{ __component: 'shop.price' }],
}

for (const drafts of [false, true])
  describe(`required attributes ${drafts ? 'with' : 'without'} drafts`, () => {
    let writing: Writing
    let validData: Readonly<Record<string, unknown>>
    before(async () => {
      writing = await startWriting(model(drafts))
      const { context, type, db } = writing
      const maker = (await createDocument(context, type('maker'), published, {})).documentId
      await db.collection('upload_files').insertOne({ _id: 1 as never, documentId: 'file' })
      validData = {
        ...{ label: '', one: { amount: 0 }, prices: [], must: [] },
        zone: [{ __component: 'shop.price', amount: 1 }],
        ...{ cover: 'file', pictures: ['file'], maker, makers: [maker] },
      }
    })
    after(() => writing.stop())

    const create = (data: unknown, scope = published) =>
      createDocument(writing.context, writing.type('card'), scope, data)
    const failures = async (write: Promise<unknown>) => {
      const { details } = await refusal(write)
      const { errors } = details as { errors: { path: string[]; message: string }[] }
      return errors.map(({ path, message }) => `${path.join('.')}: ${message}`)
    }

    const mustBe = (type: string) =>
      `must be a \`${type}\` type, but the final value was: \`null\`.`
    const ofNull = { label: 'string', one: 'object' }
    const absent = (name: string): string => {
      const type = drafts ? Object.entries(ofNull).find(([key]) => key === name)?.[1] : undefined
      return `${name}: ${name} ${type === undefined ? 'must be defined.' : mustBe(type)}`
    }

    it('are all reported at once if they are missing', async () => {
      expect(await failures(create({}))).to.deep.equal(
        ['label', 'one', 'must', 'zone', 'cover', 'pictures', 'maker', 'makers'].map(absent),
      )
    })

    if (drafts)
      it('are checked when a draft is published, by an update or by the publish action', async () => {
        const { must, zone, ...rest } = validData
        const { documentId } = await create(rest, draft)
        const { context, type } = writing
        const update = (data: unknown, scope = published) =>
          updateDocument(context, type('card'), documentId, scope, data)
        const publish = () => actOnDocument(context, type('card'), documentId, draft, 'publish')
        for (const write of [() => update({}), publish])
          expect(await failures(write())).to.deep.equal(['must', 'zone'].map(absent))
        await update({ must }, draft)
        expect(await failures(publish())).to.deep.equal([absent('zone')])
        await update({ zone: [] }, draft)
        expect(await failures(publish())).to.deep.equal([
          'zone: zone field must have at least 1 items',
        ])
        await update({ zone })
        await publish()
      })

    it('are reported with their path inside components', async () => {
      const message = drafts ? mustBe('number') : 'must be defined.'
      expect(await failures(create({ ...validData, ...within }))).to.deep.equal([
        `one.amount: one.amount ${message}`,
        `prices.0.amount: prices[0].amount ${message}`,
        `zone.0.amount: zone[0].amount ${message}`,
      ])
    })

    it('reject empty media and relations in every form of payload', async () => {
      const empty = { cover: {}, pictures: [], maker: { connect: [] }, makers: { set: [] } }
      const message = (name: string) => `${name}: ${name} must be defined.`
      expect(await failures(create({ ...validData, ...empty }))).to.deep.equal(
        Object.keys(empty).map(message),
      )
    })

    it('cannot be removed by an update', async () => {
      const { documentId } = await create(validData)
      const update = (data: unknown) =>
        updateDocument(writing.context, writing.type('card'), documentId, published, data)
      expect(await failures(update({ label: null, one: null, cover: null }))).to.deep.equal([
        `label: label ${mustBe('string')}`,
        `one: one ${mustBe('object')}`,
        'cover: cover must be defined.',
      ])
      const disconnect = validData['makers']
      expect(await failures(update({ makers: { disconnect } }))).to.deep.equal([
        'makers: makers must be defined.',
      ])
      expect(await failures(update({ maker: { disconnect } }))).to.deep.equal([
        'maker: maker must be defined.',
      ])
      await update({ makers: { disconnect, connect: disconnect } })
      await update({})
    })

    it('reject lists outside their bounds, and null', async () => {
      const of = (count: number) =>
        Array.from({ length: count }, (_, amount) => ({ __component: 'shop.price', amount }))
      const prices = of(3).map(({ amount }) => ({ amount }))
      expect(await failures(create({ ...validData, prices, zone: of(3) }))).to.deep.equal([
        'prices: prices field must have less than or equal to 2 items',
        'zone: zone field must have less than or equal to 2 items',
      ])
      expect(await failures(create({ ...validData, zone: [] }))).to.deep.equal([
        'zone: zone field must have at least 1 items',
      ])
      for (const scope of [published, draft])
        expect(
          await failures(create({ ...validData, prices: null, must: null, zone: null }, scope)),
        ).to.deep.equal(
          ['prices', 'must', 'zone'].map((name) => `${name}: ${name} ${mustBe('array')}`),
        )
    })

    if (drafts)
      it('can be missing in a draft, where lists can have any length', async () => {
        await create({}, draft)
        await create({ ...within, prices: [{}, {}, {}], zone: [], makers: null }, draft)
      })
  })
