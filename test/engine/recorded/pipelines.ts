import type { Document } from 'mongodb'
import { pipelineOf } from '../../../engine/read/compile/compile-command.js'
import {
  compileCounts,
  compileEdge,
  compilePage,
  compileTogether,
  compileTotal,
} from '../../../engine/read/compile/compile-read.js'
import type { Branch } from '../../../engine/read/compile/compile-group-keys.js'
import { branchesOf } from '../../../engine/read/compile/compile-group-keys.js'
import { compileGroups } from '../../../engine/read/compile/compile-groups.js'
import { compileIndexScan } from '../../../engine/read/compile/compile-index-scan.js'
import { compileKeys } from '../../../engine/read/compile/compile-relations.js'
import { compileMarked, markedAndLater } from '../../../engine/read/compile/compile-lookup.js'
import { compileRanks } from '../../../engine/read/compile/compile-ranks.js'
import { compileSortValue, fieldOf } from '../../../engine/read/compile/compile-sort.js'
import type {
  BoundCondition,
  OpenCondition,
  BoundSortKey,
} from '../../../engine/read/plan/bound-query.js'
import { canBeRanked, bindLocales, listsBefore } from '../../../engine/read/plan/bound-query.js'
import type {
  Condition,
  EdgePlan,
  GroupsPlan,
  Link,
  MemberPlan,
  ReadPlan,
  SortKey,
} from '../../../engine/read/plan/read-plan.js'
import { mapLeaves } from '../../../engine/read/plan/condition-tree.js'
import { always } from '../../../engine/read/plan/read-plan.js'

/** Pipelines by their purpose. */
export type Pipelines = Record<string, Document[]>

/**
 * Returns every pipeline that a plan may become: with relations as keys, with lookups, or with targets sorted before.
 */
export function pipelinesOf(plan: ReadPlan): Pipelines {
  const answered = answer(plan.match)
  const joined = lookUp(plan.match)
  if (plan.groups !== undefined)
    return { ...groupsOf(plan, plan.groups, answered, joined), ...keysOf(plan.match, 'keys') }
  return {
    page: pipelineOf(compilePage(plan, answered, plan.sort)),
    pageLookedUp: pipelineOf(compilePage(plan, joined, plan.sort)),
    pageRanked: pipelineOf(compilePage(plan, answered, plan.sort.map(rank))),
    ...indexScanOf(plan, answered),
    total: pipelineOf(compileTotal(plan, answered)),
    totalLookedUp: pipelineOf(compileTotal(plan, joined)),
    together: compileTogether(plan, answered, plan.sort),
    togetherRanked: compileTogether(plan, joined, plan.sort.map(rank)),
    ...keysOf(plan.match, 'keys'),
    ...ranksOf(plan),
    ...edgesIn(plan.node.members, ''),
  }
}

function indexScanOf(plan: ReadPlan, match: BoundCondition): Pipelines {
  const scan = compileIndexScan(plan, match, plan.sort.map(rank))
  return scan === null ? {} : { pageWalked: scan }
}

/** Returns the aggregation in three forms: with relations as keys, with lookups, and with two targets known before. */
function groupsOf(
  plan: ReadPlan,
  groups: GroupsPlan,
  answered: BoundCondition,
  joined: BoundCondition,
): Pipelines {
  const branches = branchesOf(groups.keys)
  const known = new Map(
    branches.filter(canBeKnown).map((branch) => {
      const combinations = ['a', 'b'].map((value) =>
        Object.fromEntries(branch.keys.map(({ at }) => [`k${at}`, value])),
      )
      return [branch, { keys: ['k1', 'k2'], places: [0, 1], combinations }]
    }),
  )
  return {
    groups: compileGroups(plan, groups, answered, { branches, known: new Map() }),
    groupsJoined: compileGroups(plan, groups, joined, { branches, known: new Map() }),
    groupsKnown: compileGroups(plan, groups, answered, { branches, known }),
  }
}

const canBeKnown = ({ step, branches }: Branch): boolean =>
  step.kind === 'link' &&
  step.link.stored === 'here' &&
  step.link.many &&
  step.link.locale.kind !== 'other' &&
  branches.length === 0

/** Replaces each condition on a relation with the keys of targets, as if two had been found. */
const answer = (condition: Condition): BoundCondition => bindLocales(answerOpen(condition))

const answerOpen = (condition: Condition): OpenCondition =>
  mapLeaves(condition, (leaf): OpenCondition => {
    if (leaf.kind === 'test') return leaf
    if (leaf.kind === 'related') return orNot(found(leaf.link), leaf.orNone)
    return leaf.by === 'own mark' ? markedAndLater(leaf.link) : orNot(found(leaf.link), leaf.not)
  })

const orNot = <T>(condition: T, not: boolean) =>
  not ? ({ kind: 'none', of: [condition] } as const) : condition

function found({ stored, path, locale }: Link): OpenCondition {
  const field = stored === 'here' ? `${path}.documentId` : 'documentId'
  if (locale.kind !== 'same' && locale.kind !== 'other')
    return { kind: 'keys', path: field, values: ['k1', 'k2'] }
  const values = new Map([
    ['en', ['k1']],
    ['fr', ['k2']],
  ])
  return { kind: 'localeKeys', path: field, values, of: locale.kind }
}

const lookUp = (condition: Condition): BoundCondition =>
  mapLeaves(condition, (leaf): BoundCondition => {
    if (leaf.kind === 'test') return leaf
    const { link } = leaf
    if (leaf.kind === 'related') {
      const test = { kind: 'satisfies', of: lookUp(leaf.of) } as const
      return orNot({ kind: 'joined', link, test }, leaf.orNone)
    }
    if (leaf.by === 'own mark') return markedAndLater(link)
    const test = { kind: 'modified', drafts: leaf.drafts } as const
    return orNot({ kind: 'joined', link, test }, leaf.not)
  })

function rank(key: SortKey): BoundSortKey {
  const lists = listsBefore(key.through)
  const [step, ...more] = key.through.slice(lists.length)
  if (more.length > 0 || step?.kind !== 'link' || !canBeRanked(step.link)) return key
  return {
    link: step.link,
    lists,
    keys: ['k1', 'k2', 'k3'],
    ranks: [2, 0, 1],
    direction: key.direction,
  }
}

function keysOf(condition: Condition, name: string): Pipelines {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return Object.assign(
        {},
        ...condition.of.map((member, at) => keysOf(member, `${name}.${at}`)),
      ) as Pipelines
    case 'test':
      return {}
    case 'element':
      return keysOf(condition.of, `${name}.element`)
    case 'modified':
      if (condition.by === 'own mark') return {}
      return { [name]: compileMarked(condition.link, 10) }
    case 'related':
      return {
        [name]: keys(condition.link, answer(condition.of), { limit: 10, among: null }),
        [`${name}.among`]: keys(condition.link, lookUp(condition.of), {
          limit: null,
          among: ['k1', 'k2'],
        }),
        ...keysOf(condition.of, `${name}.of`),
      }
  }
}

const keys = (...args: Parameters<typeof compileKeys>): Document[] =>
  pipelineOf(compileKeys(...args))

function ranksOf(plan: ReadPlan): Pipelines {
  const ranked = plan.sort.flatMap((key, at): [string, Document[]][] => {
    const [step, ...rest] = key.through.slice(listsBefore(key.through).length)
    if (step?.kind !== 'link') return []
    const { link } = step
    const inner = { ...key, through: rest }
    const stages = compileSortValue(link.collection, inner, '_value')
    const field = fieldOf(inner, '_value')
    const { direction } = key
    return [[`ranks.${at}`, compileRanks(link, [{ field, stages, direction }], 10)]]
  })
  return Object.fromEntries(ranked)
}

/** Returns two queries for each populated relation: for sources of one locale, and of several. */
function edgesIn(members: readonly MemberPlan[], path: string): Pipelines {
  return Object.assign(
    {},
    ...members.map((member): Pipelines => {
      switch (member.kind) {
        case 'field':
          return {}
        case 'component':
          return edgesIn(member.node.members, `${path}${member.name}.`)
        case 'zone':
          return Object.assign(
            {},
            ...Object.entries(member.components).map(([uid, { node }]) =>
              edgesIn(node.members, `${path}${member.name}.${uid}.`),
            ),
          ) as Pipelines
        case 'morph':
          return edgesIn(Object.values(member.edges), `${path}${member.name}.`)
        case 'edge':
          return {
            ...edge(member, `${path}${member.name}`),
            ...edgesIn(member.node.members, `${path}${member.name}.`),
          }
      }
    }),
  ) as Pipelines
}

function edge(plan: EdgePlan, name: string): Pipelines {
  const match = plan.match ?? always
  const documentIds = ['k1', 'k2']
  const several = { documentIds, locales: ['en', 'fr'] }
  const bound = { match: answer(match), sort: plan.sort }
  const looked = { match: lookUp(match), sort: plan.sort.map(rank) }
  return {
    [name]: pipelineOf(compileEdge(plan, { documentIds, locales: ['en'] }, bound, 101)),
    [`${name} several`]: pipelineOf(compileEdge(plan, several, looked, 101)),
    ...(plan.link.stored === 'there' && {
      [`${name} count`]: pipelineOf(compileCounts(plan, several, bound.match)),
    }),
  }
}
