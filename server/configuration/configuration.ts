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

/** What admins have set, by subject and by name: `{ roles: { editor: { name, … } } }`. */
export type Configuration = Readonly<Partial<Record<SubjectName, Readonly<Record<string, Item>>>>>

/** What a configuration would change. */
export type Difference = Readonly<{
  /** In the order in which they are made. */
  changes: readonly Change[]
  /** What is stored and in no file, and stays, because nothing is to be removed: `roles.editor`. */
  kept: readonly string[]
  /** By it two differences are known to be the same. */
  digest: string
}>

/** All that is stored, each subject in the order of its names. */
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
 * What there is between a configuration and what is stored. A subject that it does not name is left alone.
 * @param given of anybody, such as the body of a request
 * @param prune whether what is stored and not named is to be removed
 * @throws ApiError `validation` with everything that is wrong with it, and with what it asks for
 */
export async function findDifference(
  subjects: readonly Subject[],
  given: unknown,
  prune: boolean,
): Promise<Difference> {
  const names: readonly string[] = subjects.map(({ name }) => name)
  if (!isObject(given)) throw refuse([{ path: [], message: 'must be an object' }])
  const strangers = Object.keys(given).filter((name) => !names.includes(name))
  const problems: Problem[] = strangers.map((name) => ({
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
  // What others need is there before they do, and what nobody needs goes last.
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
