import { isObject } from '../values/is-object.js'
import type { Report } from './schema-error.js'

/** An object of a definition: untrusted JSON. */
export type RawObject = Readonly<Record<string, unknown>>

/** The member, if it is the definition's own: `constructor` of a bare object is not. */
export function member(raw: RawObject, key: string): unknown {
  return Object.hasOwn(raw, key) ? raw[key] : undefined
}

/** An object that may be left out. */
export function readObject(raw: RawObject, key: string, report: Report): RawObject {
  const value = member(raw, key)
  if (value === undefined || value === null) return {}
  if (isObject(value)) return value
  report(key, 'must be an object')
  return {}
}

/** `true` or `false`; absent is false. Of anything else it counts what it says, and a warning tells it. */
export function readFlag(raw: RawObject, key: string, report: Report): boolean {
  const value = member(raw, key)
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  const meant = Boolean(value) && value !== 'false'
  report.warn(key, `should be true or false, and counts as ${meant}`)
  return meant
}

/** A whole number that is not negative, such as a length; anything else sets no bound. */
export function readCount(raw: RawObject, key: string, report: Report): number | undefined {
  const value = member(raw, key)
  if (value === undefined || value === null || value === '') return undefined
  const count = typeof value === 'string' ? Number(value) : value
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  report.warn(key, 'should be a whole number that is not negative: it is not read')
  return undefined
}

/** Text; none where it is empty. */
export function readText(raw: RawObject, key: string, report: Report): string | undefined {
  const value = member(raw, key)
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  report(key, 'must be text')
  return undefined
}

/** Text that must be there; `missing` is the problem where it is not. */
export function requireText(
  raw: RawObject,
  key: string,
  report: Report,
  missing: string,
): string | undefined {
  const value = member(raw, key)
  if (value === undefined || value === null || value === '') report(key, missing)
  return readText(raw, key, report)
}

/** A list of texts, each one once; undefined where the key is absent. */
export function readTexts(
  raw: RawObject,
  key: string,
  report: Report,
): readonly string[] | undefined {
  const value = member(raw, key)
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || item === '')) {
    report(key, 'must be a list of texts')
    return undefined
  }
  const texts = value as string[]
  const duplicates = texts.filter((text, at) => texts.indexOf(text) !== at)
  for (const text of new Set(duplicates)) report.warn(key, `names "${text}" more than once`)
  return [...new Set(texts)]
}

/** Leaves out the members that are undefined, for types whose optional members may only be absent. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
