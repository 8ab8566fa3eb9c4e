import { isAllowed, type Deviation } from './deviations.js'
import { differences, isSame, type Difference } from './diff.js'
import { withoutGeneratedUids } from './generated-uids.js'
import { withoutMore } from './more-details.js'
import type { Answer } from './records.js'

/** `alternative`: the answer equals the one in `alternatives`. `deviation`: it differs on purpose. */
export type Verdict = Readonly<{
  expected: Answer
  /** Undefined if the case has no response. */
  actual: Answer | undefined
  kind: 'same' | 'alternative' | 'deviation' | 'different' | 'missing'
  differences: readonly Difference[]
}>

export type Answers = ReadonlyMap<string, Answer>
export type Expectation = Readonly<{
  answers: Answers
  /** A second set of expected answers: a response that equals one of these counts as equal too. */
  alternatives: Answers
  deviations: readonly Deviation[]
  /** Whether a generated uid counts as equal to the null in Strapi's answer. */
  generatesUids: boolean
}>

/** Judges the responses of every expected case that `selected` accepts. */
export const compare = (
  { answers, alternatives, deviations, generatesUids }: Expectation,
  actuals: Answers,
  selected: (answer: Answer) => boolean,
): readonly Verdict[] =>
  [...answers.values()].filter(selected).map((expected) => {
    const answered = actuals.get(expected.id)
    const comparable = answered && withoutMore(expected, answered)
    const actual =
      comparable !== undefined && generatesUids
        ? withoutGeneratedUids(expected, comparable)
        : comparable
    const alternative = alternatives.get(expected.id)
    const verdict = (kind: Verdict['kind'], found: readonly Difference[] = []): Verdict => ({
      expected,
      actual,
      kind,
      differences: found,
    })
    if (actual === undefined) return verdict('missing')
    if (isSame(expected, actual)) return verdict('same')
    if (alternative !== undefined && isSame(alternative, actual)) return verdict('alternative')
    if (isAllowed(deviations, expected, actual)) return verdict('deviation')
    return verdict('different', differences(expected, actual))
  })

export const isEqual = ({ kind }: Verdict): boolean => kind !== 'different' && kind !== 'missing'
