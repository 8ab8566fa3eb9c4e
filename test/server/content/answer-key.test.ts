import { expect } from 'chai'
import type { ReadTarget } from '../../../engine/read.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { answerKey, type AnswerScope } from '../../../server/content/answer-key.js'
import type { ReadRequest } from '../../../server/content/documents.js'
import { contentType } from '../../engine/write/model.js'

const definitions = [contentType('note', {}), contentType('page', {})]
const registry = createRegistryFrom(definitions, 1)
const locales = { codes: new Set(['en', 'fr']), default: 'en', chains: new Map() }
const links = { key: 'k', expires: 1000, prefixes: ['/uploads/'], path: '/uploads/' }

const request: ReadRequest = { search: 'sort=title', grant: fullGrant, envelope: 'content' }
const scope: AnswerScope = { registry, locales, links }

/** Options that do not affect a cached response. */
type Irrelevant = 'ignored' | 'signal' | 'isOnce' | 'client' | 'timeline'

/** For each option that affects the response: a value other than in `request`. */
const otherOptions: Required<Omit<ReadRequest, Irrelevant>> = {
  search: 'sort=title:desc',
  grant: { key: 'other', actions: new Set() },
  envelope: 'bare',
  constants: { isMine: true },
  format: 'v4',
  parameters: 'lenient',
  defaultPopulate: true,
  status: 'draft',
  isForAnybody: true,
}

const otherScopes: Readonly<Record<string, Partial<AnswerScope>>> = {
  'the registry': { registry: createRegistryFrom(definitions, 1) },
  'the set of locales': { locales: { ...locales, codes: new Set(['en', 'fr', 'de']) } },
  'the default locale': { locales: { ...locales, default: 'fr' } },
  'the chain of fallbacks': { locales: { ...locales, chains: new Map([['fr', ['fr', 'en']]]) } },
  'the expiry of links': { links: { ...links, expires: 2000 } },
  'the absence of links': { links: undefined },
}

const targets: readonly ReadTarget['of'][] = [
  ...(['list', 'groups', 'single'] as const),
  ...[{ documentId: 'a' }, { documentId: 'b' }, { documentId: '1' }, { id: 1 }, { id: 2 }],
  // A documentId in a URL may contain any character, so these two must not be confused with other keys.
  { documentId: 'list' },
  { documentId: 'a"\nsort=title' },
]

describe('key of a cached response', () => {
  const keyOf = (
    options: Partial<ReadRequest> = {},
    { of = 'list', name = 'note', ...other }: Partial<AnswerScope & Target> = {},
  ): string =>
    answerKey(
      typeOf(registry, `api::${name}.${name}`),
      of,
      { ...request, ...options },
      { ...scope, ...other },
    )
  type Target = Readonly<{ of: ReadTarget['of']; name: string }>

  for (const [name, value] of Object.entries(otherOptions))
    it(`differs if only the option ${name} differs`, () => {
      expect(keyOf({ [name]: value })).to.not.equal(keyOf())
    })

  for (const [what, other] of Object.entries(otherScopes))
    it(`differs if only ${what} differs`, () => {
      expect(keyOf({}, other)).to.not.equal(keyOf())
    })

  it('differs if only the content-type or the requested entry differs', () => {
    expect(keyOf({}, { name: 'page' })).to.not.equal(keyOf())
    const keys = targets.map((of) => keyOf({}, { of }))
    expect(new Set(keys).size).to.equal(targets.length)
  })

  it('is the same for the same request of another client', () => {
    const others = { isOnce: true, client: { address: '10.0.0.1', bytes: 1 } }
    const ignored = (): void => undefined
    const { signal } = new AbortController()
    expect(keyOf({ ...others, ignored, signal, timeline: undefined })).to.equal(keyOf())
    const equal = { ...locales, codes: new Set(['en', 'fr']) }
    expect(keyOf({}, { locales: equal, links: { ...links } })).to.equal(keyOf())
  })
})
