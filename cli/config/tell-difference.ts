import type { Change } from '../../server/configuration/compare.js'
import type { Difference } from '../../server/configuration/configuration.js'

const signs = { create: '+', change: '~', remove: '-' } as const

/** A difference for people: a line for each thing, below it one for each member, and for each action of a list. */
export function tellDifference({ changes, kept }: Difference): string {
  const lines = changes.flatMap((change) => [
    `${signs[change.kind]} ${change.subject} ${change.id}`,
    ...Object.entries(change.members).flatMap((member) => tellMember(change, member)),
  ])
  if (changes.some(({ subject, kind }) => subject === 'api-tokens' && kind === 'create'))
    lines.push('A new token has a key that nobody knows: an admin makes one that is shown once.')
  if (kept.length > 0) lines.push(`In no file, and kept (--prune removes them): ${kept.join(', ')}`)
  return changes.length === 0 ? ['There is no difference.', ...lines].join('\n') : lines.join('\n')
}

function tellMember(
  { kind }: Change,
  [name, { from, to }]: readonly [string, Change['members'][string]],
): readonly string[] {
  if (!Array.isArray(to))
    return [
      `    ${name}: ${kind === 'create' ? '' : `${JSON.stringify(from)} → `}${JSON.stringify(to)}`,
    ]
  const [before, after] = [listOf(from), listOf(to)]
  return [
    ...after.filter((one) => !before.includes(one)).map((one) => `    + ${String(one)}`),
    ...before.filter((one) => !after.includes(one)).map((one) => `    - ${String(one)}`),
  ]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
