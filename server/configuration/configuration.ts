import { hash } from 'node:crypto'
import { failAll } from '../../engine/errors.js'
import { isObject } from '../../engine/values/is-object.js'
import { compareItems, type Change } from './compare.js'
import {
  unknownName,
  type Item,
  type Items,
  type Problem,
  type Subject,
  type SubjectName,
} from './subject.js'

/** Configured items by subject and id: `{ roles: { editor: { name, … } } }`. */
export type Configuration = Readonly<Partial<Record<SubjectName, Readonly<Record<string, Item>>>>>

/** What applying a configuration would change. */
export type Difference = Readonly<{
  /** In the order of execution. */
  changes: readonly Change[]
  /** Stored items that are missing in the configuration but stay, because `prune` is false: `roles.editor`. */
  kept: readonly string[]
  /** Hash of the changes, with which a client confirms what it has seen. */
  digest: string
}>

/** Reads the stored items of the subjects, sorted by id. */
export async function readConfiguration(
  subjects: readonly Subject[],
): Promise<Required<Configuration>> {
  const read = subjects.map(async ({ name, stored }) => {
    const items = [...(await stored())].sort(([a], [b]) => (a < b ? -1 : 1))
    return [name, Object.fromEntries(items)] as const
  })
  return Object.fromEntries(await Promise.all(read)) as Required<Configuration>
}

/**
 * Returns the difference between a configuration and the stored state. Subjects that the configuration lacks stay
 * unchanged. Throws ApiError `validation` with all problems.
 *
 * @param given untrusted, for example the body of a request
 * @param prune whether to remove stored items that the configuration lacks
 */
export async function findDifference(
  subjects: readonly Subject[],
  given: unknown,
  prune: boolean,
): Promise<Difference> {
  const names: readonly string[] = subjects.map(({ name }) => name)
  if (!isObject(given)) throw refuse([{ path: [], message: 'must be an object' }])
  const unknownKeys = Object.keys(given).filter((name) => !names.includes(name))
  const problems: Problem[] = unknownKeys.map((name) => ({
    path: [name],
    message: unknownName('subject', name, names),
  }))
  const all: Change[] = []
  const kept: string[] = []
  for (const subject of subjects) {
    if (!Object.hasOwn(given, subject.name)) continue
    await compareSubject(subject, given[subject.name], prune, { changes: all, kept, problems })
  }
  if (problems.length > 0) throw refuse(problems)
  // Create items first, because others may need them. Remove items last, when none needs them.
  const changes = [
    ...all.filter(({ kind }) => kind === 'create'),
    ...all.filter(({ kind }) => kind === 'change'),
    ...all.filter(({ kind }) => kind === 'remove').reverse(),
  ]
  return { changes, kept, digest: hash('sha256', JSON.stringify(changes), 'hex') }
}

type Found = { changes: Change[]; kept: string[]; problems: Problem[] }

async function compareSubject(
  { name, stored, check, checkAll, defaults, stays }: Subject,
  given: unknown,
  prune: boolean,
  { changes, kept, problems }: Found,
): Promise<void> {
  if (!isObject(given)) {
    problems.push({ path: [name], message: 'must be an object of objects' })
    return
  }
  const before = await stored()
  const wanted = new Map(Object.entries(given)) as Items
  const own = [...wanted].flatMap(([id, item]) => check(id, item, before.get(id)))
  if (own.length === 0) own.push(...(checkAll?.(wanted) ?? []))
  problems.push(...own)
  if (own.length > 0) return
  for (const change of compareItems(name, wanted, before, defaults)) {
    const { id, kind } = change
    if (kind === 'remove' && !prune) kept.push(`${name}.${id}`)
    else changes.push(change)
    if (kind !== 'remove' || !prune) continue
    const message = await stays(id, wanted)
    if (message !== undefined) problems.push({ path: [name, id], message })
  }
}

function refuse(problems: readonly Problem[]): Error {
  return failAll(
    problems.map(({ path, message }) => ({
      path,
      name: 'ValidationError',
      message: path.length === 0 ? `The configuration ${message}` : `${path.join('.')}: ${message}`,
    })),
  )
}
