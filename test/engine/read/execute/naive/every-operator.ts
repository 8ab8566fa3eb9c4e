import { expect } from 'chai'
import type { Db } from 'mongodb'
import { typeOf } from '../../../../../engine/schema/registry.js'
import { inlineExecutor } from '../../../../../workers/executor.js'
import { component, contentType, define } from '../../../schema/define.js'
import { answerList } from './answer.js'
import { comparisons, textComparisons } from './draw-filters.js'
import { readText, searchOf } from './engine-world.js'
import type { Filters, Query } from './query.js'
import { samples } from './sample-values.js'
import { hasText } from './values.js'
import type { Doc, World } from './world.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'
import { jsonTypes, scalarTypes } from '../../../../../engine/values/scalar-type.js'

/** Types that are stored and compared like `string` or `datetime`, which are tested instead. */
const alike = new Set(['text', 'richtext', 'email', 'uid', 'password', 'timestamp'])
export const comparedTypes = scalarTypes.filter((type) => !alike.has(type))
const attributes = Object.fromEntries(
  comparedTypes.map((type) => [
    type,
    type === 'enumeration' ? { type, enum: ['a', 'b', 'É'] } : { type },
  ]),
)
const registry = define(
  contentType({
    ...attributes,
    values: { type: 'component', component: 'all.scalars', repeatable: true },
  }),
  component('all.scalars', attributes),
)
const thing = typeOf(registry, 'api::thing.thing')

/** The nth row has the nth sample of each type, or null if the type has fewer samples. The last row has no fields. */
const rows: readonly Doc[] = [
  ...samples.string.map((_, index) =>
    Object.fromEntries(comparedTypes.map((type) => [type, samples[type][index]?.stored ?? null])),
  ),
  {},
]
const documents = rows.map((row, index): Doc => ({
  ...{ _id: index + 1, documentId: `d${index}`, locale: null, ...row },
  ...(index === 0 ? { values: rows.map((value, id) => ({ id, ...value })) } : {}),
}))
export const worldOfValues: World = {
  registry,
  collections: new Map([[thing.collectionName, documents]]),
  locales: ['en'],
  defaultLocale: 'en',
}

/** Returns every `stride`th combination of an operator and a value of a type. */
function testsOf(type: ScalarType, stride: number): readonly Filters[] {
  if (jsonTypes.has(type)) return [{ $null: 'true' }, { $null: 'false' }]
  const operators = [...comparisons, ...(hasText(type) ? textComparisons : [])]
  const all = samples[type].flatMap(({ texts }, index) => {
    const text = texts[index % texts.length] ?? ''
    const other = samples[type][(index + 1) % samples[type].length]?.texts[0] ?? ''
    return [
      ...operators.map((operator) => ({ [operator]: text })),
      { $in: [text, other] },
      { $notIn: [text, null] },
      { $between: [text, other] },
      { $not: { $between: [other, text] } },
      { $not: { $gt: text } },
    ]
  })
  // The stride does not divide the number of operators, so each operator meets other values in the next round.
  return all.filter((_, index) => index % stride === 0)
}

/** Filters and sorts the documents of `worldOfValues` by a type, in every possible way. */
export async function assertTypeAgrees(db: Db, type: ScalarType, stride = 1): Promise<void> {
  for (const test of testsOf(type, stride)) await agrees(db, { filters: { [type]: test } })
  for (const order of ordersOf(type)) await agrees(db, { sort: [`${type}:${order}`] })
}

/** Like `assertTypeAgrees`, for components, which are filtered and sorted after they were read. */
export async function assertTypeAgreesInComponents(
  db: Db,
  type: ScalarType,
  stride = 1,
): Promise<void> {
  const shown = { fields: ['id'] }
  for (const test of testsOf(type, stride)) {
    const values = { ...shown, filters: { [type]: test } }
    await agrees(db, { filters: { id: '1' }, populate: { values } })
  }
  for (const order of ordersOf(type)) {
    const values = { ...shown, sort: [`${type}:${order}`] }
    await agrees(db, { filters: { id: '1' }, populate: { values } })
  }
}

const ordersOf = (type: ScalarType): readonly string[] =>
  jsonTypes.has(type) ? [] : ['asc', 'desc']

async function agrees(db: Db, query: Query): Promise<void> {
  const pagination = { limit: 100, withCount: 'false' }
  const asked = { ...query, fields: ['id'], pagination }
  const answer = await readText(registry, inlineExecutor(db), thing, asked)
  const search = decodeURIComponent(searchOf(asked))
  expect(answer, search).to.equal(answerList(worldOfValues, thing, asked))
}
