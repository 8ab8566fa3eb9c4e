import { type Document, type Filter, BSONRegExp } from 'mongodb'
import type { ResolvedCondition, Keys } from '../plan/bound-query.js'
import { patternsOf, compileTextMatch } from './compile-texts.js'
import { referencesField, referenceText } from '../../values/references.js'
import { toBson } from '../../values/to-bson.js'
import {
  type Test,
  isComputed,
  type ComputedTest,
  type NumberTest,
} from '../../values/value-test.js'
import { compileJson } from './compile-json.js'
import { compileNumberText } from './compile-number-text.js'

/**
 * Compiles a condition to a `$match`. A request supplies only values, no operators. Null passes no test but `null`,
 * although in MongoDB, it would also pass `$ne`, `$nin` and `$not`.
 */
export function compileMatch(condition: ResolvedCondition): Filter<Document> {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return compileGroup(condition.kind, condition.of)
    case 'test':
      return isComputed(condition.test)
        ? { $expr: compileComputed(condition.test, `$${condition.path}`) }
        : { [condition.path]: compileTest(condition.test) }
    case 'element': {
      const holds = { [condition.path]: { $elemMatch: compileMatch(condition.of) } }
      if (!condition.orEmpty) return holds
      return { $or: [holds, { [condition.path]: { $in: [null, []] } }] }
    }
    case 'keys':
      return { ...compileListedKeys(condition), [condition.path]: { $in: condition.values } }
  }
}

function compileGroup(
  kind: 'all' | 'any' | 'none',
  of: readonly ResolvedCondition[],
): Filter<Document> {
  const members = of.map(compileMatch).filter((member) => kind !== 'all' || !isAlways(member))
  if (kind === 'none') return members.length === 0 ? {} : { $nor: members }
  const [only] = members
  if (members.length === 1 && only !== undefined) return only
  if (kind === 'all') return members.length === 0 ? {} : { $and: members }
  return members.length === 0 ? { $expr: false } : { $or: members }
}

function compileListedKeys({ listed, values }: Keys): Filter<Document> {
  if (listed === undefined) return {}
  return { [referencesField]: { $in: values.map((id) => referenceText(listed, id)) } }
}

const isAlways = (match: Filter<Document>): boolean => Object.keys(match).length === 0

function compileTest(test: Exclude<Test, { op: 'at' }>): unknown {
  switch (test.op) {
    case 'null':
      return test.json === true ? { $not: { $type: jsonValues } } : { $eq: null }
    case 'notNull':
      return test.json === true ? { $type: jsonValues } : { $ne: null }
    case 'in': {
      const [only] = test.values
      if (test.values.length === 1 && only !== undefined) return { $eq: toBson(only) }
      return { $in: test.values.map(toBson) }
    }
    case 'notIn':
      return { $nin: [...test.values.map(toBson), null] }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { [`$${test.op}`]: toBson(test.value) }
    case 'between':
      return { $gte: toBson(test.values[0]), $lte: toBson(test.values[1]) }
    case 'notBetween':
      return {
        $not: { $gte: toBson(test.values[0]), $lte: toBson(test.values[1]) },
        $ne: null,
      }
    case 'match':
      return compileTexts(test)
  }
}

/**
 * All JSON types except null. A stored JSON null is found by excluding these, because `$eq: null` would also match a
 * list that contains null.
 */
const jsonValues = ['object', 'array', 'string', 'number', 'bool']

function compileTexts({
  how,
  insensitive,
  negated,
  texts,
  every,
}: Extract<Test, { op: 'match' }>): unknown {
  const [first] = texts
  if (how === 'startsWith' && !insensitive && texts.length === 1 && first !== undefined) {
    const range = rangeOf(first)
    return negated ? { $not: range, $ne: null } : range
  }
  const sources = patternsOf({ how, insensitive, texts })
  const [only] = sources
  if (sources.length === 1 && only !== undefined) {
    const $regex = { $regex: only.source, $options: only.options }
    return negated ? { $not: $regex, $ne: null } : $regex
  }
  // Several patterns, because MongoDB limits the length of one.
  const several = sources.map(({ source, options }) => new BSONRegExp(source, options))
  if (every === true) return negated ? { $not: { $all: several }, $ne: null } : { $all: several }
  return negated ? { $nin: [...several, null] } : { $in: several }
}

/**
 * Matches a prefix by a range of strings, which are sorted by code points (docs/internals/decisions.md, "Comparing and
 * sorting"). Unlike a pattern, a range can use the partial index of a unique attribute.
 */
function rangeOf(prefix: string): Document {
  const codes = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (codes.at(-1) === lastCodePoint) codes.pop()
  const last = codes.pop()
  if (last === undefined) return { $gte: prefix }
  // Skip the surrogates, which are not characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return { $gte: prefix, $lt: String.fromCodePoint(...codes, next) }
}

const lastCodePoint = 0x10ffff

/** Boolean expression: a test that no index can serve. `input` is the path of the value, such as `$$element.views`. */
export function compileComputed(test: ComputedTest, input: string): unknown {
  return test.op === 'at' ? compileJson(test, input) : compileOfNumber(test, input)
}

function compileOfNumber(test: NumberTest, input: string): unknown {
  const holds = compileTextMatch(test, compileNumberText(input))
  return { $and: [{ $gt: [input, null] }, test.negated ? { $not: [holds] } : holds] }
}
