import type { AnyObject, ObjectSchema } from 'yup'
import { didYouMean } from '../../engine/errors/nearest-name.js'
import { isObject } from '../../engine/values/is-object.js'
import { validateKnown } from '../../engine/values/validate-known.js'
import type { Actions } from '../accounts/access-control.js'
import type { Writer } from '../accounts/caller.js'

/** One configured item: only the members that admins configure. */
export type Item = Readonly<Record<string, unknown>>

/** Items by identifier: a locale's code, a role's type, a token's name. */
export type Items = ReadonlyMap<string, Item>

/** A problem in a configuration file. `path` begins with the file's name. */
export type Problem = Readonly<{ path: readonly string[]; message: string }>

export const problemIf = (isSo: boolean, path: Problem['path'], message: string) =>
  isSo ? [{ path, message }] : []

export type SubjectName = 'locales' | 'roles' | 'api-tokens'

/** A kind of item that admins configure, stored in `config/<name>.json` (docs/configuration-files.md). */
export type Subject = Readonly<{
  name: SubjectName
  stored: () => Promise<Items>
  /** Returns the problems of a given item, which may be any value. `before`: the stored item. */
  check: (id: string, given: unknown, before: Item | undefined) => readonly Problem[]
  /** Returns problems between items of a file, such as a reference from one to another. */
  checkAll?: (given: ReadonlyMap<string, Item>) => readonly Problem[]
  /** Default members of a new item. */
  defaults: (id: string) => Item
  /** Returns why an item cannot be removed; undefined if it can. */
  stays: (id: string, wanted: Items) => Promise<string | undefined>
}>

/** Makes the changes of one subject. Rejects with the same errors as the admin endpoints. */
export type SubjectWriter = Readonly<{
  create: (id: string, item: Item, by: Writer) => Promise<unknown>
  change: (id: string, members: Item, by: Writer) => Promise<unknown>
  remove: (id: string, by: Writer) => Promise<unknown>
}>

/** Returns the problems of members according to a schema. Unknown members are problems too. */
export function checkMembers<T extends AnyObject>(
  schema: ObjectSchema<T>,
  path: readonly string[],
  given: unknown,
): readonly Problem[] {
  if (!isObject(given)) return [{ path, message: 'must be an object' }]
  const names = Object.keys(schema.fields)
  const unknownKeys = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: [...path, name], message: unknownName('member', name, names) }))
  const checked = validateKnown(schema, given)
  if ('value' in checked) return unknownKeys
  const problems = checked.failures.map((failure) => ({
    path: [...path, ...failure.path],
    message: plainly(failure.message),
  }))
  return [...unknownKeys, ...problems]
}

/** Replaces yup's messages for wrong types and disallowed values by the wording of Quire's other errors. */
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

/** Returns a problem for each unknown action, with its current name or a suggestion. */
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
    : `the action ${given} no longer exists, because its content-type was renamed. Use ${renamed.id}`
}

/** Example: `there is no member nam; did you mean name?`. */
export const unknownName = (what: string, given: string, known: Iterable<string>): string =>
  `there is no ${what} ${given}${didYouMean(given, known, '')}`
