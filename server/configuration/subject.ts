import type { AnyObject, ObjectSchema } from 'yup'
import { didYouMean } from '../../engine/errors/nearest-name.js'
import { isObject } from '../../engine/values/is-object.js'
import { validateKnown } from '../../engine/values/validate-known.js'
import type { Actions } from '../accounts/access-control.js'
import type { Writer } from '../accounts/caller.js'

/** What one thing that admins set is made of: the members of an object in a file. */
export type Item = Readonly<Record<string, unknown>>

/** By what they are known by: a locale's code, a role's type, a token's name. */
export type Items = ReadonlyMap<string, Item>

/** Something in a file that cannot be: `path` leads to it from the file's name. */
export type Problem = Readonly<{ path: readonly string[]; message: string }>

export const problemIf = (isSo: boolean, path: Problem['path'], message: string) =>
  isSo ? [{ path, message }] : []

export type SubjectName = 'locales' | 'roles' | 'api-tokens'

/** One kind of things that admins set, as it is read: `config/<name>.json` holds them (docs/configuration-files.md). */
export type Subject = Readonly<{
  name: SubjectName
  /** All that are stored, each with all of its members. */
  stored: () => Promise<Items>
  /** What is wrong with one of a file, whatever it is; `before` is what is stored of it. */
  check: (id: string, given: unknown, before: Item | undefined) => readonly Problem[]
  /** What is wrong with all of a file together. */
  checkAll?: (given: ReadonlyMap<string, Item>) => readonly Problem[]
  /** The members of a new one that a file does not name. */
  defaults: (id: string) => Item
  /** Why it cannot be removed; undefined where it can. */
  stays: (id: string, wanted: Items) => Promise<string | undefined>
}>

/** What makes the changes of one subject hold; each rejects as the endpoint of an admin does. */
export type SubjectWriter = Readonly<{
  create: (id: string, item: Item, by: Writer) => Promise<unknown>
  /** Only the members that change are given. */
  change: (id: string, members: Item, by: Writer) => Promise<unknown>
  remove: (id: string, by: Writer) => Promise<unknown>
}>

/** What is wrong with members, by their schema; names that it does not have are refused. */
export function checkMembers<T extends AnyObject>(
  schema: ObjectSchema<T>,
  path: readonly string[],
  given: unknown,
): readonly Problem[] {
  if (!isObject(given)) return [{ path, message: 'must be an object' }]
  const names = Object.keys(schema.fields)
  const strangers = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: [...path, name], message: unknownName('member', name, names) }))
  const checked = validateKnown(schema, given)
  if ('value' in checked) return strangers
  const problems = checked.failures.map((failure) => ({
    path: [...path, ...failure.path],
    message: plainly(failure.message),
  }))
  return [...strangers, ...problems]
}

/** yup's words for a value of the wrong type, or not of a list, in those that errors of definitions and settings have. */
const plainly = (message: string): string =>
  message
    .replace(
      / a `(\w+)` type, but the final value was: .*$/s,
      (_, type: string) => ` ${kinds[type] ?? type}`,
    )
    .replace(' one of the following values: ', ' one of ')

const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'text', number: 'a number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object' },
}

/** Actions of a list that there are not, each with its present name, or what was probably meant. */
export function checkActions(
  path: readonly string[],
  given: unknown,
  known: Actions,
): readonly Problem[] {
  if (!Array.isArray(given)) return []
  return given.flatMap((action: unknown, at) =>
    typeof action !== 'string' || known.has(action)
      ? []
      : [{ path: [...path, String(at)], message: unknownAction(action, known) }],
  )
}

function unknownAction(given: string, known: Actions): string {
  const renamed = [...known.values()].find(({ formerId }) => formerId === given)
  return renamed === undefined
    ? unknownName('action', given, known.keys())
    : `there is no action ${given} any more: its content-type was renamed. Write ${renamed.id}`
}

/** `there is no member nam; did you mean name?` */
export const unknownName = (what: string, given: string, known: Iterable<string>): string =>
  `there is no ${what} ${given}${didYouMean(given, known, '')}`
