import { didYouMean } from '../../engine/errors/nearest-name.js'
import { componentSequence } from '../../engine/database/take-ids.js'
import { folderCollection, folderUid } from '../upload/folders/folder-types.js'
import { partOf, parts, type Part } from './parts.js'

/** Parts and uids to include (`only`, where empty means all) and to leave out (`exclude`). */
export type SelectionRequest = Readonly<{ only: readonly string[]; exclude: readonly string[] }>

/** The parts of a backup to write or read. */
export type Selection = ReturnType<typeof selectionOf>

/** Returns functions that check whether something is selected. Throws for an unknown name. */
export function selectionOf(request: SelectionRequest, uids: Iterable<string>) {
  const types = new Set(uids)
  for (const name of [...request.only, ...request.exclude])
    if (!isPart(name) && !types.has(name))
      throw new Error(
        `There is no part or content-type ${JSON.stringify(name)}${didYouMean(name, [...parts, ...types]) || '.'} Parts are ${parts.join(', ')}. Name a content-type by its uid (api::article.article)`,
      )
  /** Returns whether an item is selected by one of its names, such as a uid and its part. */
  const has = (...names: readonly string[]): boolean =>
    (request.only.length === 0 || names.some((name) => request.only.includes(name))) &&
    !names.some((name) => request.exclude.includes(name))
  const hasType = (uid: string): boolean => has(uid, partOf(uid))
  const isWhole = (part: Part): boolean =>
    ![...types].some((uid) => partOf(uid) === part && !hasType(uid))
  return {
    asked: request,
    hasWhole: (part: Part): boolean => has(part) && isWhole(part),
    hasType,
    /** Whether selected documents get their numeric ids from this sequence. */
    hasSequence: (id: string): boolean => {
      if (id === componentSequence) return [...types].some(hasType)
      if (id === tokenSequence) return has('tokens')
      return hasType(id === folderCollection ? folderUid : id)
    },
  }
}

const tokenSequence = '_api_tokens'

const isPart = (name: string): name is Part => (parts as readonly string[]).includes(name)
