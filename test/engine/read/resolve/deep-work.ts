import { startCounting } from '../../../support/count-work.js'

/** Runs in a child process. Receives the model size and the limits, and sends back the work that the tree took. */
const count = startCounting((url) => /\/engine\/(?:read|errors|schema)/.test(url))
const { prepare } = await import('../execute/prepare.js')
const { ApiError } = await import('../../../../engine/errors.js')
const { createQueryCache } = await import('../../../../engine/read/plan/known-queries.js')
const { component, contentType, define } = await import('../../schema/define.js')

export type DeepQuery = Readonly<{
  /** `types`: content-types that all refer to each other. `components`: each contains all components after it. */
  of: 'types' | 'components'
  many: number
  levels: number
  /** Cost limit. If it is 0, the plan has no limit, and the limit for building the tree is `usual`. */
  maxCost: number
  again: boolean
}>

const usual = 20_000_000
const names = (many: number) => Array.from({ length: many }, (_, n) => `t${n}`)
const entries = <T>(many: number, make: (name: string) => T): Record<string, T> =>
  Object.fromEntries(names(many).map((name) => [name, make(name)]))

function registryOf({ of, many }: DeepQuery) {
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

process.on('message', (asked: DeepQuery) => {
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
