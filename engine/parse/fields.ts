import { fail } from '../errors.js'
import type { QueryNode } from './query-string.js'
import type { RawFields } from './raw-query.js'

/** `title,slug`, `fields[0]=title`, `*` to names. */
export function parseFields(node: QueryNode): RawFields {
  const members: readonly QueryNode[] = Array.isArray(node) ? node : [node]
  const names = members.flatMap((member) => {
    if (typeof member !== 'string' || member.trim() === '') {
      throw fail('validation', {
        message: 'Invalid fields parameter. Expected a string or an array of strings',
      })
    }
    return member.split(',').map((name) => name.trim())
  })
  return names.includes('*') ? '*' : names.filter((name) => name !== '')
}
