import { isDeepStrictEqual } from 'node:util'
import type { SettingName } from '../settings.js'

/** The settings and environment variables of Quire that a project's configuration can set. */
export type ConfigurableName = SettingName | ConfigurableVariable

/** Environment variables that a project's configuration can set: the listening address and the S3 credentials. */
export type ConfigurableVariable =
  'HOST' | 'PORT' | 'UPLOAD_S3_ACCESS_KEY_ID' | 'UPLOAD_S3_SECRET_ACCESS_KEY'

export const isConfigurableVariable = (name: ConfigurableName): name is ConfigurableVariable =>
  /^[A-Z0-9_]+$/.test(name)

/**
 * The result of a rule for a member of the project's configuration. A list contains the settings of Quire that the
 * member sets. `ignored` means that Quire already behaves as the member demands, or does not need the member. Undefined
 * means that Quire does not support the member.
 */
export type Outcome =
  readonly (readonly [name: ConfigurableName, value: unknown])[] | 'ignored' | undefined
export type Rule = (value: unknown) => Outcome
/** Rules for the members of a configuration file, by their dotted path. */
export type Rules = Readonly<Record<string, Rule>>

/** Creates a rule for a member that sets a setting of Quire. `convert` converts the value to Quire's unit or form. */
export const to =
  (name: ConfigurableName, convert: (value: unknown) => unknown = (value) => value): Rule =>
  (value) => {
    const converted = convert(value)
    return converted === undefined ? undefined : [[name, converted]]
  }

/** Creates a rule that accepts these values, and ignores them because Quire behaves like Strapi with them. */
export const same =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    values.some((known) => isDeepStrictEqual(value, known)) ? 'ignored' : undefined

/** Rule for members that Quire does not need. */
export const ignored: Rule = () => 'ignored'
