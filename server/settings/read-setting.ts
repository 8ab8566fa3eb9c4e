import type { Setting } from './setting-kinds.js'

/**
 * A valid value of a setting, or the problem with it. The problem is the end of a sentence that begins with the
 * setting's name.
 */
export type Read = Readonly<{ value: unknown }> | Readonly<{ problem: string }>

/** Checks a value of a setting. Returns the value, or the problem with it. */
export function readSettingValue({ accepts, expected, secret }: Setting, value: unknown): Read {
  if (accepts(value)) return { value }
  const given = secret === true ? '' : `, not ${String(JSON.stringify(value)).slice(0, 100)}`
  return { problem: `must be ${expected}${given}` }
}
