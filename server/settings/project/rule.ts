import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../settings.js'

/** Names that a project's configuration can set: settings, the listening address and S3 credentials. */
export type TakenName = SettingName | TakenVariable

/** The names that are environment variables and not settings. */
export type TakenVariable =
  'HOST' | 'PORT' | 'UPLOAD_S3_ACCESS_KEY_ID' | 'UPLOAD_S3_SECRET_ACCESS_KEY'

export const isTakenVariable = (name: TakenName): name is TakenVariable => /^[A-Z0-9_]+$/.test(name)

/**
 * Result of a rule: the settings that the member stands for; `ignored` if Quire already behaves like that or does not
 * need the member; undefined if it is unsupported.
 */
export type Outcome =
  readonly (readonly [name: TakenName, value: unknown])[] | 'ignored' | undefined
export type Rule = (value: unknown) => Outcome
/** Rules by the dotted path of the member within its file. */
export type Rules = Readonly<Record<string, Rule>>

/** Creates a rule for a member that is a setting of Quire, perhaps in another unit or form. */
export const to =
  (name: TakenName, convert: (value: unknown) => unknown = (value) => value): Rule =>
  (value) => {
    const converted = convert(value)
    return converted === undefined ? undefined : [[name, converted]]
  }

/** Creates a rule that ignores the values with which Strapi behaves as Quire does. */
export const same =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.some((known) => isDeepStrictEqual(value, known)) ? 'ignored' : undefined

/** Rule for members that Quire does not need. */
export const ignored: Rule = () => 'ignored'
