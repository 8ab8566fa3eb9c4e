import { fail } from '../../../engine/errors.js'
import { isObject } from '../../../engine/values/is-object.js'
import { checkJsonBounds } from '../../../engine/values/scan-json.js'

/** A body of an upload without the `folder` of each `fileInfo`, and those, in the order of the files. */
export type TakenPlaces = Readonly<{
  body: unknown
  /** Null: at the root; undefined: it says nothing. */
  places: readonly (number | null | undefined)[]
}>

/**
 * `fileInfo={"name":"cat.png","folder":5}`: an object, JSON text, or one of them per file. What cannot be read is left
 * to whoever reads the rest. Throws `validation` for what is no id.
 */
export function takePlaces(body: unknown): TakenPlaces {
  const given = isObject(body) ? body['fileInfo'] : undefined
  if (!isObject(body) || given === undefined || given === null) return { body, places: [] }
  const infos = asList(given).flatMap((item) => asList(parseText(item)))
  const places = infos.map((info) => (isObject(info) ? placeOf(info['folder']) : undefined))
  const fileInfo = infos.map((info) => {
    if (!isObject(info)) return info
    return Object.fromEntries(Object.entries(info).filter(([key]) => key !== 'folder'))
  })
  return { body: { ...body, fileInfo }, places }
}

function placeOf(folder: unknown): number | null | undefined {
  if (folder === undefined || folder === null) return folder
  const text = typeof folder === 'number' || typeof folder === 'string' ? String(folder) : ''
  if (!/^\d{1,15}$/.test(text)) throw fail('validation', { message: 'folder must be an id' })
  return Number(text)
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  checkJsonBounds(value)
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
