import type { Setting } from './setting-kinds.js'

/** A value that a setting may have, or what is wrong with it, as the end of a sentence that begins with the name. */
export type Read = Readonly<{ value: unknown }> | Readonly<{ problem: string }>

/** A setting as `quire.config.json` writes it. */
export function readSettingValue({ accepts, expected, secret }: Setting, value: unknown): Read {
  if (accepts(value)) return { value }
  const given = secret === true ? '' : `, not ${String(JSON.stringify(value)).slice(0, 100)}`
  return { problem: `must be ${expected}${given}` }
}
