import type { Setting } from './setting-kinds.js'

/** A valid value, or its problem as the end of a sentence that begins with the setting's name. */
export type Read = Readonly<{ value: unknown }> | Readonly<{ problem: string }>

/** Checks a value of a setting. */
export function readSettingValue({ accepts, expected, secret }: Setting, value: unknown): Read {
  if (accepts(value)) return { value }
  const given = secret === true ? '' : `, not ${String(JSON.stringify(value)).slice(0, 100)}`
  return { problem: `must be ${expected}${given}` }
}
