import { componentSequence } from '../../engine/database/take-ids.js'
import { folderCollection, folderUid } from '../upload/folders/folder-types.js'
import { partOf, parts, type Part } from './parts.js'

/** Parts, and uids of content-types, as they were asked for; nothing in `only` is everything. */
export type Asked = Readonly<{ only: readonly string[]; exclude: readonly string[] }>

/** What of a backup is written or read. */
export type Selection = ReturnType<typeof selectionOf>

/**
 * Reads what was asked for.
 * @param uids of the content-types that there are
 * @throws Error for a name that is none
 */
export function selectionOf(asked: Asked, uids: Iterable<string>) {
  const types = new Set(uids)
  for (const name of [...asked.only, ...asked.exclude])
    if (!isPart(name) && !types.has(name))
      throw new Error(
        `There is no part and no content-type ${JSON.stringify(name)}: parts are ${parts.join(', ')}, content-types are named by their uid (api::article.article)`,
      )
  /** Whether a part, or the entries of a content-type, are chosen by one of these names. */
  const has = (...names: readonly string[]): boolean =>
    (asked.only.length === 0 || names.some((name) => asked.only.includes(name))) &&
    !names.some((name) => asked.exclude.includes(name))
  const hasType = (uid: string): boolean => has(uid, partOf(uid))
  const isWhole = (part: Part): boolean =>
    ![...types].some((uid) => partOf(uid) === part && !hasType(uid))
  return {
    asked,
    /** Whether a part is chosen, all of it. */
    hasWhole: (part: Part): boolean => has(part) && isWhole(part),
    /** Whether the entries of a content-type are chosen. */
    hasType,
    /** Whether numbers are given above those of what is chosen: by the id of a sequence. */
    hasSequence: (id: string): boolean => {
      if (id === componentSequence) return [...types].some(hasType)
      if (id === tokenSequence) return has('tokens')
      return hasType(id === folderCollection ? folderUid : id)
    },
  }
}

const tokenSequence = '_api_tokens'

const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name)
