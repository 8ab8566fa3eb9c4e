import { hash } from 'node:crypto'
import { fail } from '../../engine/errors.js'
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
  const found: Found[] = []
  for (const subject of subjects) {
    if (!Object.hasOwn(given, subject.name)) continue
    found.push(await compareSubject(subject, given[subject.name], prune, problems))
  }
  if (problems.length > 0) throw refuse(problems)
  const all = found.flatMap(({ changes }) => changes)
  // What others need is there before they do, and what nobody needs goes last.
  const removals = all.filter(({ kind }) => kind === 'remove').reverse()
  const changes = [
    ...all.filter(({ kind }) => kind === 'create'),
    ...all.filter(({ kind }) => kind === 'change'),
    ...removals,
  ]
  const digest = hash('sha256', JSON.stringify(changes), 'hex')
  return { changes, kept: found.flatMap(({ kept }) => kept), digest }
}

type Found = Readonly<{ changes: readonly Change[]; kept: readonly string[] }>

async function compareSubject(
  { name, stored, check, checkAll, defaults, stays }: Subject,
  given: unknown,
  prune: boolean,
  problems: Problem[],
): Promise<Found> {
  if (!isObject(given)) {
    problems.push({ path: [name], message: 'must be an object of objects' })
    return { changes: [], kept: [] }
  }
  const before = await stored()
  const own: Problem[] = []
  for (const [id, item] of Object.entries(given)) own.push(...check(id, item, before.get(id)))
  const wanted = new Map(Object.entries(given)) as Items
  if (own.length === 0) own.push(...(checkAll?.(wanted) ?? []))
  problems.push(...own)
  if (own.length > 0) return { changes: [], kept: [] }
  const all = compareItems(name, wanted, before, defaults)
  const removals = all.filter(({ kind }) => kind === 'remove')
  if (!prune)
    return {
      changes: all.filter(({ kind }) => kind !== 'remove'),
      kept: removals.map(({ id }) => `${name}.${id}`),
    }
  for (const { id } of removals) {
    const message = await stays(id, wanted)
    if (message !== undefined) problems.push({ path: [name, id], message })
  }
  return { changes: all, kept: [] }
}

function refuse(problems: readonly Problem[]): Error {
  const errors = problems.map(({ path, message }) => ({
    path,
    name: 'ValidationError',
    message: path.length === 0 ? `The configuration ${message}` : `${path.join('.')}: ${message}`,
  }))
  const message = errors.length === 1 ? errors[0]?.message : `${errors.length} errors occurred`
  return fail('validation', { message }, { errors })
}
