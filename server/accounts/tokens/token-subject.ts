import type { Db } from 'mongodb'
import { array, object, string } from 'yup'
import {
  checkActions,
  checkMembers,
  problemIf,
  type Item,
  type Problem,
  type Subject,
  type SubjectWriter,
} from '../../configuration/subject.js'
import type { Actions } from '../access-control.js'
import type { ApiTokens, TokenDocument, TokenDraft } from './api-tokens.js'
import { newBody } from './token-bodies.js'

const { type, lifespan } = newBody.fields
const fields = object({
  description: string().max(1000),
  type,
  permissions: array(string().max(255).required()).max(10_000),
  lifespan,
})

/**
 * `config/api-tokens.json`, by name: `{ "Website": { "description": "", "type": "read-only", "permissions": [],
 * "lifespan": null } }`.
 */
export function tokenSubject(db: Db, actions: () => Actions): Subject {
  return {
    name: 'api-tokens',
    stored: async () => {
      const there = actions()
      const tokens = await db.collection<TokenDocument>('_api_tokens').find().toArray()
      return new Map(
        tokens.map(({ name, permissions, description, type, lifespan }) => {
          const granted = permissions.filter((action) => there.has(action)).sort()
          return [name, { description, type, permissions: granted, lifespan }] as const
        }),
      )
    },
    check: (name, given, before) => {
      const path = ['api-tokens', name]
      const problems = [
        ...problemIf(
          name.trim() !== name || name.length < 1 || name.length > 255,
          path,
          'a name must have 1 to 255 characters, without leading or trailing spaces',
        ),
        ...checkMembers(fields, path, given),
      ]
      return problems.length > 0 ? problems : checkToken(path, given as Item, before, actions())
    },
    defaults: () => ({ description: '', permissions: [], lifespan: null }),
    stays: () => Promise.resolve(undefined),
  }
}

function checkToken(
  path: readonly string[],
  given: Item,
  before: Item | undefined,
  known: Actions,
): readonly Problem[] {
  const { type, permissions, lifespan } = { ...before, ...given }
  const listed = Array.isArray(permissions) ? permissions.length : 0
  const own = [...path, 'permissions']
  return [
    // The list of a stored token may be empty, because actions disappear with their content-types.
    ...problemIf(
      type === 'custom' && listed === 0 && !isEmpty(before),
      own,
      'a custom token needs a list of actions',
    ),
    ...problemIf(
      type !== 'custom' && listed > 0,
      own,
      `only a custom token can have a list of actions`,
    ),
    ...problemIf(
      before !== undefined && (lifespan ?? null) !== before.lifespan,
      [...path, 'lifespan'],
      `the lifespan of an existing token cannot change (${JSON.stringify(before?.lifespan)}). Delete the token first, or use another name`,
    ),
    ...checkActions(own, given.permissions, known),
  ]
}

const isEmpty = (before: Item | undefined): boolean =>
  before?.type === 'custom' && Array.isArray(before.permissions) && before.permissions.length === 0

/** Writes tokens. Nobody sees the key of a token created here; an admin gets a new one with `/regenerate`. */
export function tokenWriter(db: Db, tokens: ApiTokens): SubjectWriter {
  const idOf = async (name: string): Promise<number> =>
    (await db.collection<TokenDocument>('_api_tokens').findOne({ name }))?._id ?? -1
  return {
    create: (name, item, { actor }) =>
      tokens.create({ ...(item as Omit<TokenDraft, 'name'>), name }, actor),
    change: async (name, members) => tokens.update(await idOf(name), members),
    remove: async (name) => tokens.remove(await idOf(name)),
  }
}
