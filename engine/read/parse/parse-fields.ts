import type { Parsing } from './parse-limits.js'
import { countMembers } from './parse-limits.js'
import { membersOf } from './pieces.js'
import { refusedParameter } from './refused-value.js'
import type { QueryNode } from './brackets.js'
import type { RawFields } from './raw-query.js'

/** Parses `title,slug`, `fields[0]=title` or `*`. A `*` next to names is returned as one of them. */
export function parseFields(node: QueryNode, { limits }: Parsing): RawFields {
  const members: readonly QueryNode[] = Array.isArray(node) ? node : [node]
  const count = countMembers('fields', limits)
  const names: string[] = []
  for (const member of members) {
    if (typeof member !== 'string' || member.trim() === '') {
      const message = 'Invalid fields parameter. Expected a string or an array of strings'
      throw refusedParameter(message, 'fields', 'a text or a list of texts', member)
    }
    for (const name of membersOf(member, count)) names.push(name)
  }
  return names.length > 0 && names.every((name) => name === '*') ? '*' : names
}
