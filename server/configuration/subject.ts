import type { AnyObject, ObjectSchema } from 'yup'
import { didYouMean } from '../../engine/errors/nearest-name.js'
import { isObject } from '../../engine/values/is-object.js'
import { validateKnown } from '../../engine/values/validate-known.js'
import type { Actions } from '../accounts/access-control.js'
import type { Writer } from '../accounts/caller.js'

/** One configured item, as an object in a configuration file: only the members that admins configure. */
export type Item = Readonly<Record<string, unknown>>

/** Items by their identifier: a locale's code, a role's type, a token's name. */
export type Items = ReadonlyMap<string, Item>

/** A problem in a configuration file. `path` is the path of the faulty value, beginning with the file's name. */
export type Problem = Readonly<{ path: readonly string[]; message: string }>

export const problemIf = (isSo: boolean, path: Problem['path'], message: string) =>
  isSo ? [{ path, message }] : []

export type SubjectName = 'locales' | 'roles' | 'api-tokens'

/**
 * A kind of item that admins configure, such as roles. `config/<name>.json` contains the items
 * (docs/configuration-files.md).
 */
export type Subject = Readonly<{
  name: SubjectName
  /** Reads all stored items with all their members. */
  stored: () => Promise<Items>
  /** Returns the problems of an item in a file. `given` may be any value. `before` is the stored item. */
  check: (id: string, given: unknown, before: Item | undefined) => readonly Problem[]
  /** Returns problems that concern several items of a file, such as a reference between two items. */
  checkAll?: (given: ReadonlyMap<string, Item>) => readonly Problem[]
  /** Returns default values for the members of a new item. */
  defaults: (id: string) => Item
  /** Returns why an item cannot be removed; undefined if it can be removed. */
  stays: (id: string, wanted: Items) => Promise<string | undefined>
}>

/**
 * Makes the changes to the items of one subject. Each method rejects with the same errors as the endpoint for admins.
 */
export type SubjectWriter = Readonly<{
  create: (id: string, item: Item, by: Writer) => Promise<unknown>
  /** `members` contains only the members that change. */
  change: (id: string, members: Item, by: Writer) => Promise<unknown>
  remove: (id: string, by: Writer) => Promise<unknown>
}>

/** Returns the problems of an item's members according to their schema. Unknown members are problems too. */
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

/**
 * Replaces yup's messages about values that have the wrong type or are not in a list of allowed values. The new
 * messages have the wording of Quire's errors about definitions and settings.
 */
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

/**
 * Returns a problem for each unknown action in a list. Its message contains the action's current name or a suggestion.
 */
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

/** Returns the message for an unknown name: `there is no member nam; did you mean name?`. */
export const unknownName = (what: string, given: string, known: Iterable<string>): string =>
  `there is no ${what} ${given}${didYouMean(given, known, '')}`
