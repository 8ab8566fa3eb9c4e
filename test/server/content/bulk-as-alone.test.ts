import { expect } from 'chai'
import fc from 'fast-check'
import { articleData } from './any-article.js'
import type { Magazine } from './magazine.js'
import { stable, startMagazine } from './magazine.js'
import { drawPicture } from '../../support/draw-picture.js'
import { isAsOftenAsInCI, runs } from '../../support/properties.js'

type Json = Readonly<Record<string, unknown>>
type Answer = Json & Readonly<{ status: number; data?: Json | null }>

/** An operation whose document is not known yet: `at` is the index of the document. */
type Planned = Readonly<{
  op: string
  at: number
  data: Json
  status: string | undefined
  locale: string | undefined
  slug: 'own' | 'taken' | 'none'
}>

const documents = 4
const everything =
  'populate[author]=true&populate[tags]=true&populate[related][fields]=title&populate[category]=true' +
  '&populate[seo][populate]=*&populate[sections][populate]=*&populate[localizations]=true'

describe('bulk request', () => {
  let magazine: Magazine
  before(async () => {
    // A generated uid depends on how many entries have the same title, which differs between the two ways to write.
    magazine = await startMagazine({ settings: { 'api.rest.generateUids': false } })
  })
  after(() => magazine.app.stop())

  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const { token, request } = magazine.app
    const sent = body === undefined ? {} : { body }
    const answer = await request(method, `/api/articles${path}`, { token, ...sent })
    return { status: answer.status, ...(answer.body as object) }
  }
  const upload = async (name: string): Promise<number> => {
    const form = new FormData()
    form.append('files', new Blob([await drawPicture(name, 4, 4)]), name)
    const { token, request } = magazine.app
    const answer = await request('POST', '/api/upload', { token, body: form })
    return (answer.body as { id: number }[])[0]?.id ?? 0
  }
  const idOf = ({ data }: Answer): string => String(data?.['documentId'])

  const operationOf = (plan: Planned, side: string, number: number, ids: readonly string[]) => {
    const { op, at, status, locale, slug } = plan
    const own = `${side}-${number}`
    // In French, `rain` is free: if two operations used it, it would depend on their order which one is accepted.
    const taken = locale === 'fr' ? own : 'rain'
    const given = { own: { slug: own }, taken: { slug: taken }, none: {} }[slug]
    const isSave = op === 'create' || op === 'update'
    return {
      op,
      ...(op === 'create' ? {} : { documentId: ids[at] ?? 'nobody' }),
      ...(isSave ? { data: { ...plan.data, ...given } } : {}),
      ...(status === undefined || !isSave ? {} : { status }),
      ...(locale === undefined || op === 'create' ? {} : { locale }),
    }
  }
  type Sent = ReturnType<typeof operationOf>

  const singleProcess = async (operations: readonly Sent[]): Promise<readonly Answer[]> => {
    const answers: Answer[] = []
    for (const { op, documentId = '', data, status, locale } of operations) {
      const own = Object.entries({ status, locale }).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${value}`],
      )
      const query = `?${[everything, ...own].join('&')}`
      if (op === 'create') answers.push(await call('POST', query, { data }))
      else if (op === 'update') answers.push(await call('PUT', `/${documentId}${query}`, { data }))
      else if (op === 'delete') answers.push(await call('DELETE', `/${documentId}${query}`))
      else answers.push(await call('POST', `/${documentId}/actions/${op}${query}`, {}))
    }
    return answers
  }
  const inBulk = async (operations: readonly Sent[]): Promise<readonly Answer[]> => {
    const answer = await call('POST', `/bulk?${everything}`, { operations })
    expect(answer.status).to.equal(200)
    return answer['data'] as unknown as readonly Answer[]
  }

  it('returns and stores the same as its operations sent one by one', async () => {
    const { ids } = magazine
    const named = (...names: readonly string[]) => names.map((name) => ids[name] ?? '')
    const parts = {
      authors: named('ana', 'ben'),
      categories: named('nature', 'weather'),
      tags: named('wet', 'cold', 'loud'),
      articles: named('rain', 'snow', 'wind', 'fog'),
      files: [await upload('one.png'), await upload('two.png')],
    }
    const planned: fc.Arbitrary<Planned> = fc.record({
      op: fc.constantFrom(
        ...['create', 'create', 'update', 'update', 'update'],
        ...['delete', 'publish', 'unpublish', 'discard-draft'],
      ),
      // The last index has no document.
      at: fc.nat({ max: documents }),
      data: articleData(parts),
      status: fc.constantFrom(undefined, 'draft', 'published'),
      locale: fc.constantFrom(undefined, undefined, 'en', 'fr', 'xx'),
      slug: fc.constantFrom('own', 'own', 'none', 'taken'),
    })
    let run = 0
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.array(planned, { minLength: 1, maxLength: 25 }), async (plans) => {
        run += 1
        const sides = await Promise.all(
          [singleProcess, inBulk].map(async (send, which) => {
            const side = `side${which}-${run}`
            const own: string[] = []
            for (let at = 0; at < documents; at += 1) {
              const data = { title: `Document ${at}`, slug: `${side}-document-${at}` }
              own.push(idOf(await call('POST', at % 2 === 0 ? '' : '?status=draft', { data })))
            }
            const sent = plans.map((plan, number) => operationOf(plan, side, number, own))
            const answers = await send(sent)
            for (const { status } of answers) statuses.add(status)
            const made = answers.filter(({ status }) => status === 201).map(idOf)
            const all = [...own, ...made]
            const left = []
            for (const id of all)
              for (const query of ['status=draft', '', 'locale=fr&status=draft', 'locale=fr'])
                left.push(await call('GET', `/${id}?${everything}&${query}`))
            const names = Object.fromEntries(all.map((id, at) => [`document ${at}`, id]))
            const shown = stable({ answers, left }, { ...ids, ...names })
            return JSON.stringify(shown).replaceAll(side, 'side')
          }),
        )
        expect(sides[1]).to.equal(sides[0])
      }),
      { numRuns: runs(25) },
    )
    // If a status does not occur, the runs have covered too little.
    if (isAsOftenAsInCI) expect([...statuses]).to.include.members([200, 201, 204, 400, 404])
  }).timeout(300_000)

  it('accepts each unique value once, even if several operations claim it at the same time', async () => {
    const create = (slug: string) => ({ op: 'create', data: { title: 'Twin', slug } })
    const slugs = Array.from({ length: 60 }, (_, at) => `twin-${at % 7}`)
    const answers = await inBulk(slugs.map(create))
    const done = slugs.filter((_, at) => answers[at]?.status === 201)
    expect(done.toSorted()).to.deep.equal([...new Set(slugs)].toSorted())
    const [refused] = answers.filter(({ status }) => status !== 201)
    expect(refused?.['error']).to.have.nested.property('details.errors[0].path').eql(['slug'])
  })
})
