import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../settings.js'

/** What a project's configuration can say of Quire's own: a setting, or where it listens. */
export type TakenName = SettingName | 'HOST' | 'PORT'

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
