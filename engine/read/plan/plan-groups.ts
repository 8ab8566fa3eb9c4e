import type { Groups } from '../resolve/query.js'
import type { FieldForm, GroupsPlan } from './read-plan.js'
import { formOf } from './plan-populate.js'
import type { VersionContext } from './plan-relation.js'
import { planKey } from './plan-sort.js'

/** Plans groups on the stored paths of entries in a read context. The page decides whether groups are counted. */
export function planGroups(
  { keys, count, measures, sort }: Groups,
  context: VersionContext,
): Omit<GroupsPlan, 'withTotal'> {
  return {
    keys: keys.map(({ name, steps, attribute, unit }) => ({
      ...pathOf(steps, attribute, context),
      name,
      unit,
    })),
    count,
    measures: measures.map(({ of, name, steps, attribute }) => {
      const { path, form } = pathOf(steps, attribute, context)
      return { of, name, path, form }
    }),
    sort: sort.map(({ by, order }) => ({ by, direction: order === 'asc' ? 1 : -1 })),
  }
}

type Key = Groups['keys'][number]
type Path = Pick<GroupsPlan['keys'][number], 'through' | 'path'> & Readonly<{ form: FieldForm }>

function pathOf(steps: Key['steps'], attribute: Key['attribute'], context: VersionContext): Path {
  const { through, path } = planKey({ steps, attribute, order: 'asc' }, context)
  return { through, path, form: formOf(attribute) }
}
