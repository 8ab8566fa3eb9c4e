import { componentSequence } from '../../engine/database/take-ids.js'
import { builtIn } from '../../engine/schema/registry.js'
import { folderCollection, folderUid } from '../upload/folders/folder-types.js'
import { partOf, parts, type Part } from './parts.js'

/** Parts, and uids of content-types, as they were asked for; nothing in `only` is everything. */
export type Asked = Readonly<{ only: readonly string[]; exclude: readonly string[] }>

/** What of a backup is written or read. */
export type Selection = Readonly<{
  asked: Asked
  /** Whether a part is chosen, all of it. */
  hasWhole: (part: Part) => boolean
  /** Whether the entries of a content-type are chosen. */
  hasType: (uid: string) => boolean
  /** Whether numbers are given above those of what is chosen: by the id of a sequence. */
  hasSequence: (id: string) => boolean
}>

/**
 * Reads what was asked for.
 * @param uids of the content-types that there are
 * @throws Error for a name that is none
 */
export function selectionOf(asked: Asked, uids: Iterable<string>): Selection {
  const types = new Set(uids)
  for (const name of [...asked.only, ...asked.exclude])
    if (!isPart(name) && !types.has(name))
      throw new Error(
        `There is no part and no content-type ${JSON.stringify(name)}: parts are ${parts.join(', ')}, content-types are named by their uid (api::article.article)`,
      )
  const only = new Set(asked.only)
  const exclude = new Set(asked.exclude)
  const isAll = only.size === 0
  const hasPart = (part: Part): boolean => (isAll || only.has(part)) && !exclude.has(part)
  const hasType = (uid: string): boolean =>
    (isAll || only.has(uid) || only.has(partOf(uid))) &&
    !exclude.has(uid) &&
    !exclude.has(partOf(uid))
  const isWhole = (part: Part): boolean =>
    ![...types].some((uid) => partOf(uid) === part && !hasType(uid))
  return {
    asked,
    hasWhole: (part) => hasPart(part) && isWhole(part),
    hasType,
    hasSequence: (id) => {
      if (id === componentSequence) return [...types].some(hasType)
      if (id === tokenSequence) return hasPart('tokens')
      return hasType(id === folderCollection ? folderUid : id)
    },
  }
}

const tokenSequence = '_api_tokens'

const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name)

/** Whether the content of files goes with what is chosen. */
export const hasFiles = ({ hasType }: Selection): boolean => hasType(builtIn.file)
