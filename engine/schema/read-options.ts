import { isObject, objectOf, type PlainObject } from '../values/is-object.js'
import { within, type Report } from './schema-error.js'

/** The member, if it is the definition's own: `constructor` of a bare object is not. */
export function member(raw: PlainObject, key: string): unknown {
  return Object.hasOwn(raw, key) ? raw[key] : undefined
}

/** Options of a definition as they were given, with the report of what is wrong with them. Null counts as absent. */
export class RawOptions {
  constructor(
    readonly given: PlainObject,
    readonly report: Report,
  ) {}

  get(key: string): unknown {
    return member(this.given, key) ?? undefined
  }

  warn(key: string, message: string): void {
    this.report.warn(key, message)
  }

  /** An object that may be left out. */
  object(key: string): RawOptions {
    const value = this.get(key) ?? {}
    if (!isObject(value)) this.report(key, 'must be an object')
    return new RawOptions(objectOf(value), within(this.report, key))
  }

  /** `true` or `false`; absent is false. Of anything else it counts what it says, and a warning tells it. */
  flag(key: string): boolean {
    const value = this.get(key) ?? false
    if (typeof value === 'boolean') return value
    const meant = Boolean(value) && value !== 'false'
    this.warn(key, `should be true or false, and counts as ${meant}`)
    return meant
  }

  /** A whole number that is not negative, such as a length; anything else sets no bound. */
  count(key: string): number | undefined {
    const value = this.get(key)
    if (value === undefined || value === '') return undefined
    const count = typeof value === 'string' ? Number(value) : value
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
    this.warn(key, 'should be a whole number that is not negative: it is not read')
    return undefined
  }

  /** Text; none where it is empty. */
  text(key: string): string | undefined {
    const value = this.get(key)
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string') return value
    this.report(key, 'must be text')
    return undefined
  }

  /** Text that must be there; `missing` is the problem where it is not. */
  requiredText(key: string, missing: string): string | undefined {
    if ((this.get(key) ?? '') === '') this.report(key, missing)
    return this.text(key)
  }

  /** A list of texts, each one once; undefined where the key is absent. */
  texts(key: string): readonly string[] | undefined {
    const value = this.get(key)
    if (value === undefined) return undefined
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || item === '')) {
      this.report(key, 'must be a list of texts')
      return undefined
    }
    const texts = value as string[]
    const duplicates = texts.filter((text, at) => texts.indexOf(text) !== at)
    for (const text of new Set(duplicates)) this.warn(key, `names "${text}" more than once`)
    return [...new Set(texts)]
  }
}

/** Leaves out the members that are undefined, for types whose optional members may only be absent. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
