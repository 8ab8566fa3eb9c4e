import { fail } from '../../../engine/errors.js'
import { isObject } from '../../../engine/values/is-object.js'
import { infosIn } from '../file-info.js'

/**
 * Removes the `folder` of each `fileInfo` (`{"name":"cat.png","folder":5}`) from the body of an upload. Returns the
 * body and the folders, in the order of the files: null is the root, undefined means unspecified. Malformed parts are
 * left in the body for the next reader to reject. Throws `validation` if `folder` is not an id.
 */
export function takePlaces(body: unknown): Readonly<{ body: unknown; places: Places }> {
  const given = isObject(body) ? (body['fileInfo'] ?? null) : null
  if (!isObject(body) || given === null) return { body, places: [] }
  const infos = infosIn(given, (text) => text)
  const places = infos.map((info) => (isObject(info) ? placeOf(info['folder']) : undefined))
  const fileInfo = infos.map((info) => {
    if (!isObject(info)) return info
    return Object.fromEntries(Object.entries(info).filter(([key]) => key !== 'folder'))
  })
  return { body: { ...body, fileInfo }, places }
}

type Places = readonly (number | null | undefined)[]

function placeOf(folder: unknown): number | null | undefined {
  if (folder === undefined || folder === null) return folder
  const text = typeof folder === 'number' || typeof folder === 'string' ? String(folder) : ''
  if (!/^\d{1,15}$/.test(text)) throw fail('validation', 'folder must be an id')
  return Number(text)
}
