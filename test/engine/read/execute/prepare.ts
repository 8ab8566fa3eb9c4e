import type { QueryCache } from '../../../../engine/read/plan/known-queries.js'
import { createQueryCache } from '../../../../engine/read/plan/known-queries.js'
import type { ReadPlan } from '../../../../engine/read/plan/read-plan.js'
import type { PreparedRead, ReadContext, ReadTarget } from '../../../../engine/read.js'
import { prepareRead } from '../../../../engine/read.js'
import type { Grant } from '../../../../engine/schema/grant.js'
import { fullGrant } from '../../../../engine/schema/grant.js'
import type { Registry } from '../../../../engine/schema/registry.js'
import { typeOf } from '../../../../engine/schema/registry.js'
import { component, contentType, define } from '../../schema/define.js'

/** A small blog: localized articles with drafts, authors without locales or drafts, and tags with drafts. */
export const blog: Registry = define(
  contentType(
    {
      title: { type: 'string', required: true },
      secret: { type: 'password' },
      note: { type: 'string', private: true },
      views: { type: 'integer' },
      big: { type: 'biginteger' },
      price: { type: 'decimal' },
      at: { type: 'datetime' },
      cover: { type: 'media' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::author.author',
        inversedBy: 'articles',
      },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      seo: { type: 'component', component: 'shared.seo' },
      links: { type: 'component', component: 'shared.link', repeatable: true },
      sections: { type: 'dynamiczone', components: ['shared.link', 'shared.quote'] },
    },
    {
      collectionName: 'articles',
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
    },
    'article',
  ),
  contentType(
    {
      name: { type: 'string' },
      articles: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::article.article',
        mappedBy: 'author',
      },
    },
    { collectionName: 'authors' },
    'author',
  ),
  contentType(
    { name: { type: 'string' } },
    { collectionName: 'tags', options: { draftAndPublish: true } },
    'tag',
  ),
  component('shared.seo', { metaTitle: { type: 'string' }, image: { type: 'media' } }),
  component('shared.link', { label: { type: 'string' }, weight: { type: 'integer' } }),
  component('shared.quote', {
    text: { type: 'text' },
    by: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  }),
)

type Options = {
  uid?: string
  grant?: Grant
  registry?: Registry
  exactMetadata?: boolean
  cache?: QueryCache
  purpose?: 'read' | 'answer' | 'groups'
  nestedPagination?: boolean
  deepCreators?: boolean
  deepMaxCost?: number
}

/** Parses and resolves a query on the blog with default settings. */
export function prepare(
  search: string,
  {
    uid = 'api::article.article',
    grant = fullGrant,
    registry = blog,
    exactMetadata = false,
    cache = createQueryCache(),
    purpose = 'read',
    nestedPagination = false,
    deepCreators = false,
    deepMaxCost = 20_000_000,
  }: Options = {},
): PreparedRead & { plan: () => ReadPlan; planFor: (target: Partial<ReadTarget>) => ReadPlan } {
  let planned: ReadPlan | undefined
  const context: ReadContext = {
    registry,
    grant,
    limits: {
      maxArrayLength: 1000,
      maxPopulateDepth: 10,
      nestedPagination,
      deepPopulate: { default: 5, max: 10 },
      unknownParameters: 'refuse',
    },
    rules: {
      defaultLimit: 25,
      maxLimit: 100,
      maxPopulateDepth: 10,
      maxPopulateNodes: 500,
      wrapFilteredRelations: true,
      unknownKeys: 'refuse',
      nestedPagination,
      deepPopulate: { creators: deepCreators, maxCost: deepMaxCost },
      defaultLocale: 'en',
      locales: new Set(['en', 'fr']),
      chains: new Map([['fr', ['fr', 'en']]]),
      localeFallback: false,
    },
    executor: {
      run: (plan) => {
        planned = plan
        return Promise.resolve(null)
      },
    },
    cache,
  }
  const prepared = prepareRead(typeOf(registry, uid), search, context, purpose)
  const list: ReadTarget = {
    of: 'list',
    envelope: 'content',
    format: 'flat',
    maxPopulatedEntries: 10_000,
    maxAnswerBytes: 16_777_216,
    maxCost: 0,
    timeoutMs: 1000,
    exactMetadata,
  }
  const planFor = (target: Partial<ReadTarget>): ReadPlan => prepared.plan({ ...list, ...target })
  const plan = (): ReadPlan => {
    void prepared.run(list)
    if (planned === undefined) throw new Error('nothing was planned')
    return planned
  }
  return { ...prepared, plan, planFor }
}
