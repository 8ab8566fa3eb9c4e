import { startCounting } from '../../../support/count-work.js'

/** In a process of its own: how many types, levels and the bound in, what it took to make or refuse the tree out. */
const count = startCounting((url) => /\/engine\/(?:read|errors|schema)/.test(url))
const { prepare } = await import('../run/prepare.js')
const { ApiError } = await import('../../../../engine/errors.js')
const { createQueryCache } = await import('../../../../engine/read/query/known-queries.js')
const { component, contentType, define } = await import('../../schema/define.js')

export type DeepAsked = Readonly<{
  /** Content-types, each with a relation to each, or components that hold all behind them. */
  of: 'types' | 'components'
  many: number
  levels: number
  /** 0 = any, of what can be made. */
  maxCost: number
  /** Whether it was asked before. */
  again: boolean
}>

const usual = 20_000_000
const names = (many: number) => Array.from({ length: many }, (_, n) => `t${n}`)
const entries = <T>(many: number, make: (name: string) => T): Record<string, T> =>
  Object.fromEntries(names(many).map((name) => [name, make(name)]))

function registryOf({ of, many }: DeepAsked) {
  const holds = (name: string) => ({ type: 'component', component: `c.${name}` })
  const leads = (name: string) => ({
    ...{ type: 'relation', relation: 'manyToMany', target: `api::${name}.${name}` },
  })
  if (of === 'types')
    return define(
      ...names(many).map((name) =>
        contentType(entries(many, leads), { collectionName: name }, name),
      ),
    )
  return define(
    contentType(entries(many, holds), { collectionName: 't0' }, 't0'),
    ...names(many).map((name, at) =>
      component(`c.${name}`, {
        label: { type: 'string' },
        ...Object.fromEntries(
          names(many)
            .slice(at + 1)
            .map((next) => [next, holds(next)]),
        ),
      }),
    ),
  )
}

process.on('message', (asked: DeepAsked) => {
  const registry = registryOf(asked)
  const known = createQueryCache()
  let outcome: unknown = null
  const work = count(() => {
    const cache = asked.again ? known : createQueryCache()
    const options = { registry, uid: 'api::t0.t0', cache, deepMaxCost: asked.maxCost || usual }
    try {
      prepare(`pLevel=${asked.levels}`, options).planFor({ maxCost: asked.maxCost })
      outcome = 'made'
    } catch (error) {
      outcome = error instanceof ApiError ? [error.message, error.details] : String(error)
    }
  })
  process.send?.({ ...work, outcome })
})
