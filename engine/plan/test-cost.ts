import type { Test } from '../values/value-test.js'
import type { CollectionFacts } from './collection-facts.js'
import { fieldBytes } from './collection-facts.js'
import { assumed, costs } from './cost-units.js'
import type { Condition } from './read-plan.js'

/**
 * What it costs to ask one entry for a condition, beside fetching it. What is searched for within a text is a
 * regular expression of its own for each text that is looked for, and goes through all of the entry's.
 */
export function costOfTests(condition: Condition, facts: CollectionFacts): number {
  return costBelow(condition, '', facts)
}

/** `within`: the path of the list that an element's tests are about, with a final dot, or empty. */
function costBelow(condition: Condition, within: string, facts: CollectionFacts): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, member) => sum + costBelow(member, within, facts), 0)
    case 'element':
      return costBelow(condition.of, `${within}${condition.path}.`, facts)
    case 'test':
      // Indexes begin with the locale.
      if (condition.path === 'locale') return 0
      return costs.tested + costOfSearch(condition.test, `${within}${condition.path}`, facts)
    case 'related':
    case 'modified':
      return costs.tested
  }
}

/** What a condition costs before any entry is asked: expressions are written, sent, and made ready by the database. */
export function costOfStating(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, member) => sum + costOfStating(member), 0)
    case 'element':
    case 'related':
      return costOfStating(condition.of)
    case 'test':
      return condition.test.op === 'match' ? condition.test.texts.length * costs.statedText : 0
    case 'modified':
      return 0
  }
}

function costOfSearch(test: Test, path: string, facts: CollectionFacts): number {
  if (test.op !== 'match') return 0
  const bytes = fieldBytes(facts, path) ?? assumed.textBytes
  return test.texts.length * (costs.tested + bytes * costs.searchedByte)
}
