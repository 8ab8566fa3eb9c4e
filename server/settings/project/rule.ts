import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../settings.js'

/** Settings and variables of Quire that a project's configuration can set. */
export type ConfigurableName = SettingName | ConfigurableVariable

/** The listening address and the S3 credentials. */
export type ConfigurableVariable =
  'HOST' | 'PORT' | 'UPLOAD_S3_ACCESS_KEY_ID' | 'UPLOAD_S3_SECRET_ACCESS_KEY'

export const isConfigurableVariable = (name: ConfigurableName): name is ConfigurableVariable =>
  /^[A-Z0-9_]+$/.test(name)

/**
 * The settings that a member sets; `ignored` if Quire behaves as the member demands; undefined if it is not supported.
 */
export type Outcome =
  readonly (readonly [name: ConfigurableName, value: unknown])[] | 'ignored' | undefined
export type Rule = (value: unknown) => Outcome
/** Rules for members of a configuration file, by dotted path. */
export type Rules = Readonly<Record<string, Rule>>

/** Creates a rule that sets a setting. `convert` returns the value in Quire's unit or form. */
export const to =
  (name: ConfigurableName, convert: (value: unknown) => unknown = (value) => value): Rule =>
  (value) => {
    const converted = convert(value)
    return converted === undefined ? undefined : [[name, converted]]
  }

/** Creates a rule that ignores values with which Strapi behaves like Quire. */
export const same =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.some((known) => isDeepStrictEqual(value, known)) ? 'ignored' : undefined

/** Rule for members that Quire does not need. */
export const ignored: Rule = () => 'ignored'
