import { isSame } from './diff.js'
import { byJson } from './normalise.js'
import type { Answer, JsonValue } from './records.js'

/** An intended difference: `{ "id": "http\\.root", "status": 200, "why": "a page of our own" }`. */
export type Deviation = Readonly<{
  /** A regular expression that matches whole case ids. Without it, `oracleStatus` selects the cases. */
  id?: string
  oracleStatus?: number
  /** Allowed status of the actual answer, or its class (`4xx`). Default: the expected status. */
  status?: StatusRule
  /** Allows the same list in another order. */
  unordered?: boolean
  why: string
}>

type StatusRule = number | string | readonly (number | string)[]

/** Whether one of the deviations allows `actual` in place of `expected`. */
export const isAllowed = (
  deviations: readonly Deviation[],
  expected: Answer,
  actual: Answer,
): boolean =>
  deviations.some(
    (deviation) =>
      selects(deviation, expected) &&
      fits(actual.status, deviation.status ?? expected.status) &&
      (!deviation.unordered || isSame(sorted(expected), sorted(actual))),
  )

const selects = ({ id, oracleStatus }: Deviation, expected: Answer): boolean =>
  id === undefined ? oracleStatus === expected.status : new RegExp(`^(?:${id})$`).test(expected.id)

function fits(status: number, rule: StatusRule): boolean {
  if (typeof rule === 'number') return status === rule
  if (typeof rule === 'string') return /^\dxx$/.test(rule) && String(status)[0] === rule[0]
  return rule.some((one) => fits(status, one))
}

function sorted(answer: Answer): Answer {
  const body = answer.body as Readonly<{ data?: JsonValue }> | null | undefined
  if (!Array.isArray(body?.data)) return answer
  const data = [...(body.data as readonly JsonValue[])].sort(byJson)
  return { ...answer, body: { ...body, data } }
}
