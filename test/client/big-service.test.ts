import { expect } from 'chai'
import { checkDefinitions } from '../../server/content-types/check-definitions.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { readSettings } from '../../server/settings/read-settings.js'
import { writeTypes } from '../../server/typescript/write-types.js'
import { compile, inProject, type Compiled } from './compile.js'

describe('types of 200 content-types', () => {
  it('compile a deep query within a limit of work', () => {
    const { complaints, instantiations } = compileQueries(deepQuery)
    expect(complaints).to.deep.equal([])
    expect(instantiations).to.be.lessThan(100_000)
  })

  it('compile groups within a limit of work', () => {
    const { complaints, instantiations } = compileQueries(groupsQuery)
    expect(complaints).to.deep.equal([])
    expect(instantiations).to.be.lessThan(60_000)
  })
})

function compileQueries(query: (number: number) => string): Compiled {
  const { registry } = checkDefinitions(definitions(), 0)
  const types = writeTypes(registry, readSettings({}, {}, []), '../../client/main.js')
  const queries = Array.from({ length: 10 }, (_, number) => query(number)).join('\n')
  const file = inProject('test/client/big-uses.ts')
  return compile([file], {
    [inProject('test/client/big.d.ts')]: types,
    [file]: `import { createClient } from '../../client/main.js'
import type { Quire } from './big.js'
const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
export const ask = async () => {
${queries}
}`,
  })
}

const deepQuery = (number: number): string => `
  const answer${number} = await client.collection('types${number}').find({
    populate: { one: { fields: ['title'], populate: { many: { filters: { views: { $gt: 1 } },
      populate: { one: { populate: { many: { populate: { one: true } } } } } } } } },
  })
  answer${number}.data[0]?.one?.many?.data[0]?.one?.many?.[0]?.one?.title satisfies string | undefined
  const all${number} = await client.collection('types${number}').find({ pLevel: 5 })
  all${number}.data[0]?.one?.many?.[0]?.one?.title satisfies string | undefined`

const groupsQuery = (number: number): string => `
  const groups${number} = await client.collection('types${number}').aggregate({
    groupBy: ['publishedAt:month', 'one.many.one.many.one.title'], sum: 'views', max: ['title'],
    sort: ['sum.views:desc', 'publishedAt'],
  })
  groups${number}.data[0]?.group['one.many.one.many.one.title'] satisfies string | null | undefined`

function definitions(): readonly SourcedDefinition[] {
  return Array.from({ length: 200 }, (_, number) => {
    const target = (step: number): string => {
      const name = `type${(number * 7 + step) % 200}`
      return `api::${name}.${name}`
    }
    const own = Array.from({ length: 20 }, (_, at) => [`text${at}`, { type: 'string' }] as const)
    const name = `type${number}`
    return {
      kind: 'content-type',
      uid: `api::${name}.${name}`,
      source: name,
      definition: {
        kind: 'collectionType',
        collectionName: `types${number}`,
        info: { singularName: name, pluralName: `types${number}`, displayName: name },
        options: { draftAndPublish: number % 2 === 0 },
        attributes: {
          title: { type: 'string', required: true },
          views: { type: 'integer' },
          ...Object.fromEntries(own),
          one: { type: 'relation', relation: 'manyToOne', target: target(1) },
          many: { type: 'relation', relation: 'manyToMany', target: target(2) },
          cover: { type: 'media', multiple: false },
        },
      },
    }
  })
}
