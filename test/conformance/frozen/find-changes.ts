import type { Answers } from '../compare.js'
import { differences } from '../diff.js'
import type { Answer } from '../records.js'
import { formatCase } from '../report.js'

/** Describes each case whose answer changed: its request, and every path with the value before and after. */
export const findChanges = (frozen: Answers, actuals: Answers): readonly string[] => [
  ...[...frozen.values()].flatMap((expected) => {
    const actual = actuals.get(expected.id)
    if (actual !== undefined && textOf(expected) === textOf(actual)) return []
    return [formatChange(expected, actual)]
  }),
  ...[...actuals.keys()].filter((id) => !frozen.has(id)).map((id) => `${id}: not frozen yet`),
]

function formatChange(expected: Answer, actual: Answer | undefined): string {
  const found = actual === undefined ? [] : differences(expected, actual)
  const verdict = { kind: 'different', expected, actual, differences: found } as const
  const change = formatCase(verdict, { all: true, statusOnly: false })
  const isSame = found.length === 0 && expected.status === actual?.status
  return isSame ? `${change}\n    the same keys in another order` : change
}

/** As JSON, so that the order of keys counts. */
const textOf = ({ status, contentType, headers, body }: Answer): string =>
  JSON.stringify([status, contentType, headers, body])
