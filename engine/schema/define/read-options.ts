import { isObject, objectOf, type PlainObject } from '../../values/is-object.js'
import { reportBelow, type Report } from '../schema-error.js'

/** Returns the value of a key, unless the key is inherited, such as `constructor`. */
export function member(raw: PlainObject, key: string): unknown {
  return Object.hasOwn(raw, key) ? raw[key] : undefined
}

/** Reads the options of a definition and reports invalid ones. Null counts as absent. */
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

  /** Returns an object without options if the key is absent. */
  object(key: string): RawOptions {
    const value = this.get(key) ?? {}
    if (!isObject(value)) this.report(key, 'must be an object')
    return new RawOptions(objectOf(value), reportBelow(this.report, key))
  }

  /** Absent = false. Values other than `true` and `false` are converted, with a warning. */
  flag(key: string): boolean {
    const value = this.get(key) ?? false
    if (typeof value === 'boolean') return value
    const meant = Boolean(value) && value !== 'false'
    this.warn(key, `should be true or false; Quire uses ${meant}`)
    return meant
  }

  /** Reads a non-negative integer. Other values are ignored, with a warning. */
  count(key: string): number | undefined {
    const value = this.get(key)
    if (value === undefined || value === '') return undefined
    const count = typeof value === 'string' ? Number(value) : value
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
    this.warn(key, 'should be a whole number of 0 or more; it is ignored')
    return undefined
  }

  /** An empty string counts as absent. */
  text(key: string): string | undefined {
    const value = this.get(key)
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string') return value
    this.report(key, 'must be text')
    return undefined
  }

  /** Reports `missing` if the string is absent or empty. */
  requiredText(key: string, missing: string): string | undefined {
    if ((this.get(key) ?? '') === '') this.report(key, missing)
    return this.text(key)
  }

  /** Reads a list of strings without duplicates. */
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

/** Removes undefined members, for types whose members may be absent but not undefined. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<T>
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
