import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../settings.js'

/** Names that a project's configuration can set: settings, the listening address, and S3 credentials. */
export type TakenName = SettingName | TakenVariable

/** Environment variables among them, which are not settings. */
export type TakenVariable =
  'HOST' | 'PORT' | 'UPLOAD_S3_ACCESS_KEY_ID' | 'UPLOAD_S3_SECRET_ACCESS_KEY'

export const isTakenVariable = (name: TakenName): name is TakenVariable => /^[A-Z0-9_]+$/.test(name)

/**
 * Result of a rule: the settings that a member means; `ignored` if Quire behaves so anyway or does not need it;
 * undefined if it is unsupported.
 */
export type Outcome =
  readonly (readonly [name: TakenName, value: unknown])[] | 'ignored' | undefined
export type Rule = (value: unknown) => Outcome
/** By dotted path within the file. */
export type Rules = Readonly<Record<string, Rule>>

/** The member is a setting, in another unit or form. */
export const to =
  (name: TakenName, convert: (value: unknown) => unknown = (value) => value): Rule =>
  (value) => {
    const converted = convert(value)
    return converted === undefined ? undefined : [[name, converted]]
  }

/** With these values, Strapi behaves as Quire does. */
export const same =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.some((known) => isDeepStrictEqual(value, known)) ? 'ignored' : undefined

/** Quire does not need the member. */
export const ignored: Rule = () => 'ignored'
