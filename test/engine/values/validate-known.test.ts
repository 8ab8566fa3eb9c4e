import { expect } from 'chai'
import { array, number, object, string } from 'yup'
import { validateKnown } from '../../../engine/values/validate-known.js'

const schema = object({
  name: string().required(),
  items: array(object({ label: string().required(), size: number() })),
  count: number().default(1),
})

describe('validateKnown', () => {
  it('returns the members that the schema names, as they were given', () => {
    for (const [given, value] of [
      [{ name: 'a' }, { name: 'a' }],
      [
        { unknown: 1, count: 2, name: 'a' },
        { count: 2, name: 'a' },
      ],
      [
        Object.assign(Object.create({ count: 'inherited' }) as object, { name: 'a' }),
        { name: 'a' },
      ],
      [
        { name: 'a', items: [{ label: 'b', more: 1 }] },
        { name: 'a', items: [{ label: 'b', more: 1 }] },
      ],
    ] as const)
      expect(validateKnown(schema, given as { name: string })).to.deep.equal({ value })
  })

  it('returns every failure with its path, in the order of the schema', () => {
    const given = { count: '2', items: [{ label: 'a' }, { size: '1' }, 3] }
    const but = (value: string): string => `but the final value was: \`${value}\`.`
    expect(validateKnown(schema, given)).to.deep.equal({
      failures: [
        { path: ['name'], message: 'name is a required field', value: undefined },
        {
          path: ['items', '1', 'label'],
          message: 'items[1].label is a required field',
          value: undefined,
        },
        {
          path: ['items', '1', 'size'],
          message: `items[1].size must be a \`number\` type, ${but('"1"')}`,
          value: '1',
        },
        {
          path: ['items', '2'],
          message: `items[2] must be a \`object\` type, ${but('3')}`,
          value: 3,
        },
        { path: ['count'], message: `count must be a \`number\` type, ${but('"2"')}`, value: '2' },
      ],
    })
  })

  it('returns a failure of the whole object with an empty path', () => {
    const needsOne = object({ a: number(), b: number() }).test(
      'one',
      'a or b is missing',
      (given) => 'a' in given || 'b' in given,
    )
    expect(validateKnown(needsOne, {})).to.deep.equal({
      failures: [{ path: [], message: 'a or b is missing', value: {} }],
    })
  })

  it('throws the error of a broken rule', () => {
    const rule = string().test('broken', 'is wrong', () => {
      throw new RangeError('This rule is broken')
    })
    expect(() => validateKnown(object({ a: rule }), { a: 'b' })).to.throw(
      RangeError,
      'This rule is broken',
    )
  })
})
