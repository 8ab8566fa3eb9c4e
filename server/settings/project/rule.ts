import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../settings.js'

/** What a project's configuration can say of Quire's own: a setting, where it listens, or who asks S3. */
export type TakenName = SettingName | TakenVariable

/** Those that are no settings, by their names in the environment. */
export type TakenVariable =
  'HOST' | 'PORT' | 'UPLOAD_S3_ACCESS_KEY_ID' | 'UPLOAD_S3_SECRET_ACCESS_KEY'

export const isTakenVariable = (name: TakenName): name is TakenVariable => /^[A-Z0-9_]+$/.test(name)

/**
 * What becomes of a member of a project's configuration: the settings that it means, `needless` where Quire does so
 * anyway or nothing is missed without it, undefined where nothing here corresponds to it.
 */
export type Outcome =
  readonly (readonly [name: TakenName, value: unknown])[] | 'needless' | undefined
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

/** With these values it is as it is here. */
export const same =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.some((known) => isDeepStrictEqual(value, known)) ? 'needless' : undefined

/** Nothing is missed without it. */
export const needless: Rule = () => 'needless'
