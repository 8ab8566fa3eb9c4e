import type { PatternAnswer } from '../../engine/patterns/pattern-check.js'
import type { PatternTask } from '../../workers/pattern-worker.js'

/** Like the service's pattern worker, but without a time limit. */
export default function answerChecks({ checks }: PatternTask): readonly PatternAnswer[] {
  return checks.map(({ source, text }) => (new RegExp(source).test(text) ? 'found' : 'missing'))
}
