import type { HttpAnswer } from './http.js'
import type { Names } from './placeholders.js'
import type { Case } from './records.js'
import { valueAt } from './value-at.js'

/** Takes values from the response to a case (`capture`), and adds them to `names` for later cases. */
export function captureNames(one: Case, { json }: Pick<HttpAnswer, 'json'>, names: Names): void {
  for (const [name, path] of Object.entries(one.capture ?? {})) {
    const value = valueAt(json, path)
    if (value === undefined) continue
    if (typeof value === 'string' && /^[a-z0-9]{20,32}$/.test(value)) names.documents[name] = value
    else names.values[name] = value
  }
}
