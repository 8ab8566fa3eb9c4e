import { isObject, objectOf, type PlainObject } from '../values/is-object.js'

/**
 * A condition on the other values of an entry or component, as Strapi's content-type builder writes it (JsonLogic):
 * `{ "==": [{ "var": "kind" }, "video"] }`. Only conditions that `conditionProblem` accepts have this type.
 */
export type Condition = PlainObject

const maxDepth = 20

/** Whether an attribute with this condition is visible next to these values. */
export function isMet(condition: Condition, siblings: unknown): boolean {
  return Boolean(valueOf(condition, objectOf(siblings)))
}

/** Returns why a condition cannot be evaluated, or undefined if it can. */
export function conditionProblem(condition: unknown, depth = 0): string | undefined {
  if (depth > maxDepth) return `is nested deeper than ${maxDepth}`
  if (!isObject(condition)) return depth === 0 ? 'should be a condition' : undefined
  const [[name, given] = ['', undefined], ...more] = Object.entries(condition)
  if (more.length > 0 || (name !== 'var' && !Object.hasOwn(operators, name)))
    return `there is no condition "${[name, ...more.map(([other]) => other)].join(', ')}"`
  if (name === 'var')
    return typeof operandsOf(given)[0] === 'string' ? undefined : '"var" should name an attribute'
  for (const operand of operandsOf(given)) {
    const problem = conditionProblem(operand, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

type Operator = (operands: readonly unknown[], values: PlainObject) => unknown

function valueOf(rule: unknown, values: PlainObject): unknown {
  if (!isObject(rule)) return rule
  const [[name, given] = ['', undefined]] = Object.entries(rule)
  const operands = operandsOf(given)
  if (name === 'var') return atPath(String(operands[0]), values) ?? operands[1] ?? null
  return operators[name]?.(operands, values)
}

function operandsOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

/** Reads the value at a path. `seo.kind` leads into the component `seo`. */
function atPath(path: string, values: PlainObject): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      values,
    )
}

/** Creates a comparison operator. The `test` of `==` and `!=` treats a numeric string like the number. */
const compare =
  (test: (a: unknown, b: unknown) => boolean): Operator =>
  ([a, b], values) =>
    test(valueOf(a, values), valueOf(b, values))

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined

const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === 'number' && a === numberOf(b)) ||
  (typeof b === 'number' && b === numberOf(a))

const operators: Readonly<Record<string, Operator>> = {
  '==': compare(isSame),
  '===': compare((a, b) => a === b),
  '!=': compare((a, b) => !isSame(a, b)),
  '!==': compare((a, b) => a !== b),
  '<': compare((a, b) => Number(a) < Number(b)),
  '<=': compare((a, b) => Number(a) <= Number(b)),
  '>': compare((a, b) => Number(a) > Number(b)),
  '>=': compare((a, b) => Number(a) >= Number(b)),
  in: compare((a, b) =>
    typeof b === 'string' ? b.includes(String(a)) : Array.isArray(b) && b.includes(a),
  ),
  '!': ([a], values) => !valueOf(a, values),
  '!!': ([a], values) => Boolean(valueOf(a, values)),
  and: (operands, values) => operands.every((operand) => valueOf(operand, values)),
  or: (operands, values) => operands.some((operand) => valueOf(operand, values)),
}
