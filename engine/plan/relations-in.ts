import type { Condition } from './read-plan.js'

/** How many relations a condition goes through. */
export function relationsIn(condition: Condition<unknown>): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, member) => sum + relationsIn(member), 0)
    case 'test':
      return 0
    case 'element':
      return relationsIn(condition.of)
    case 'modified':
      return 1
    case 'related':
      return 1 + relationsIn(condition.of)
  }
}
