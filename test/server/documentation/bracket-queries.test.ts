import { expect } from 'chai'
import fc from 'fast-check'
import { comparisonOperators } from '../../../engine/read/parse/raw-query.js'
import type { OpenApiDocument } from '../../../server/documentation/make-document.js'
import { drawsOf, inBrackets, resolved, type Drawn } from '../../support/draw-by-schema.js'
import { runs } from '../../support/properties.js'
import type { Answer } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const requests = runs(300)

type Parameter = Readonly<{ name: string; in: string; style?: string; schema: object }>
type Operation = Readonly<{ path: string; parameters: readonly Parameter[] }>

describe('queries that the OpenAPI document allows', function () {
  this.timeout(600_000)
  let app: TestApp
  let document: OpenApiDocument
  let documentId = ''
  before(async () => {
    app = await startApp()
    document = (await app.request('GET', '/documentation/openapi.json', { token: app.token }))
      .body as OpenApiDocument
    const make = async (path: string, data: object): Promise<string> => {
      const { body } = await app.request('POST', path, { token: app.token, body: { data } })
      return (body as { data: { documentId: string } }).data.documentId
    }
    const author = await make('/api/authors', { name: 'Ana', email: 'ana@example.com' })
    const category = await make('/api/categories', { name: 'Water', slug: 'water' })
    for (const slug of ['rain', 'snow', 'hail'])
      documentId = await make('/api/articles', { title: slug, slug, author, category })
  })
  after(() => app.stop())

  const operationsOf = (endings: RegExp): readonly Operation[] =>
    Object.entries(document.paths).flatMap(([path, { get }]) => {
      if (get === undefined || !path.startsWith('/api/') || !endings.test(path)) return []
      const parameters = ((get['parameters'] ?? []) as Parameter[]).map((parameter) =>
        '$ref' in parameter
          ? (resolved(document, parameter['$ref'] as string) as Parameter)
          : parameter,
      )
      return parameters.some(({ name }) => name === 'filters' || name === 'populate')
        ? [{ path, parameters }]
        : []
    })

  const queries = (
    operations: readonly Operation[],
    taken: (name: string) => boolean,
    depth: number,
  ): fc.Arbitrary<string> => {
    const draw = drawsOf(document)
    return fc.constantFrom(...operations).chain(({ path, parameters }) => {
      const candidates = parameters.filter((one) => one.in === 'query' && taken(one.name))
      return fc.subarray(candidates, { maxLength: 3 }).chain((chosen) =>
        fc.tuple(...chosen.map(({ schema }) => draw(schema, depth))).map((values) => {
          const pairs = chosen.flatMap((parameter, i) => written(parameter, values[i]))
          const search = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
          return `${path.replace('{documentId}', documentId)}?${search}`
        }),
      )
    })
  }

  const written = (
    { name, style }: Parameter,
    value: Drawn,
  ): readonly (readonly [string, string])[] =>
    Array.isArray(value) && style !== 'deepObject'
      ? [[name, value.join(',')]]
      : inBrackets(name, value)

  /** Sends a GET request. `app.request` rejects if the response does not match the OpenAPI document. */
  const sendChecked = async (target: string): Promise<Answer> => {
    const answer = await app.request('GET', target, { token: app.token })
    expect(answer.status, answer.text).to.be.within(200, 499)
    return answer
  }
  it('get a response in the declared form, in any combination', async () => {
    let answers = 0
    const drawn = queries(operationsOf(/./), () => true, 6)
    const property = fc.asyncProperty(drawn, async (target) => {
      if ((await sendChecked(target)).status === 200) answers += 1
    })
    await fc.assert(property, { numRuns: requests })
    // If fewer succeeded, most requests might be refused for the same reason.
    expect(answers).to.be.greaterThan(requests / 4)
  })

  it('succeed if they filter, sort, choose fields or populate', async () => {
    const names = ['filters', 'sort', 'fields', 'populate', 'status', 'publicationFilter']
    const lists = operationsOf(/^\/api\/(articles|authors|categories|tags|users)$/)
    expect(lists).to.have.length(5)
    const drawn = queries(lists, (name) => names.includes(name), 5)
    const property = fc.asyncProperty(drawn, async (target) => {
      const answer = await sendChecked(target)
      // For a path with dots in `sort` or `populate`, the OpenAPI document describes only the first name.
      if (
        answer.status === 400 &&
        /(sort|populate)[^=&]*=([^&]*,)?\w+\./.test(decodeURIComponent(target))
      )
        return
      expect(answer.status, answer.text).to.equal(200)
    })
    await fc.assert(property, { numRuns: requests })
  })

  it('include every operator of an attribute, and no others', async () => {
    const draw = drawsOf(document)
    const wrong: string[] = []
    const schemas = document.components['schemas'] as Readonly<Record<string, Filter>>
    const tested = new Set<string>()
    /**
     * Sends every operator for each attribute of a filter schema. `place` is the position of the filter, such as
     * `filters[author]`.
     */
    const testAll = async (path: string, name: string, place: string): Promise<void> => {
      tested.add(name)
      for (const [attribute, schema] of Object.entries(schemas[name]?.properties ?? {})) {
        if (attribute.startsWith('$')) continue
        const own = operatorsIn(schemas, schema)
        expect(Object.keys(own), `${name} ${attribute}`).to.include.members(['$null', '$notNull'])
        for (const operator of comparisonOperators) {
          const operand = own[operator] ?? { type: 'string', pattern: '^1$' }
          const [value] = fc.sample(draw(operand, 2), 1)
          const pairs = inBrackets(`${place}[${attribute}][${operator}]`, value)
          const search = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
          const { status, text } = await sendChecked(`${path}?${search}`)
          // Other errors than 400 do not matter: a single type may have no entry that matches (404).
          if ((status === 400) !== (own[operator] === undefined))
            wrong.push(`${path}?${decodeURIComponent(search)}: ${text.slice(0, 200)}`)
        }
      }
    }
    /**
     * Tests schemas of types that have no list of their own (components, roles), through the attributes that refer to
     * them.
     */
    const testInner = async (path: string, name: string, place: string): Promise<void> => {
      for (const [attribute, { anyOf = [] }] of Object.entries(schemas[name]?.properties ?? {})) {
        const inner = nameOf(anyOf[0])
        if (!inner.endsWith('Filters') || tested.has(inner)) continue
        await testAll(path, inner, `${place}[${attribute}]`)
        await testInner(path, inner, `${place}[${attribute}]`)
      }
    }
    const lists = operationsOf(/^(?!.*(aggregate|\{documentId\}))/).flatMap(
      ({ path, parameters }) => {
        const filters = parameters.find(({ name }) => name === 'filters')?.schema
        return filters === undefined ? [] : [[path, nameOf(filters), 'filters'] as const]
      },
    )
    for (const list of lists) await testAll(...list)
    for (const list of lists) await testInner(...list)
    // Components that only occur in dynamic zones can only be filtered in `populate`.
    for (const [name, uid] of [
      ['SectionQuoteFilters', 'section.quote'],
      ['SectionRelatedFilters', 'section.related'],
    ] as const)
      await testAll('/api/articles', name, `populate[sections][on][${uid}][filters]`)
    expect(wrong).to.deep.equal([])
    expect([...tested]).to.include.members(
      Object.keys(schemas).filter((name) => name.endsWith('Filters')),
    )
  })
})

const nameOf = (schema: Filter | undefined): string => schema?.$ref?.split('/').at(-1) ?? ''

type Filter = Readonly<{
  $ref?: string
  anyOf?: readonly Filter[]
  properties?: Readonly<Record<string, Filter>>
}>

function operatorsIn(
  schemas: Readonly<Record<string, Filter>>,
  schema: Filter,
): Readonly<Record<string, Filter>> {
  const { $ref, anyOf = [], properties = {} } = schema
  const referred = schemas[$ref?.split('/').at(-1) ?? '']
  return Object.assign(
    {},
    ...[...(referred === undefined ? [] : [referred]), ...anyOf].map((one) =>
      operatorsIn(schemas, one),
    ),
    Object.fromEntries(
      Object.entries(properties).filter(([name]) =>
        (comparisonOperators as readonly string[]).includes(name),
      ),
    ),
  ) as Readonly<Record<string, Filter>>
}
