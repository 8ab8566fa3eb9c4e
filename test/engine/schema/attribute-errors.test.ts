import { expect } from 'chai'
import { component, contentType, problemsOf } from './define.js'

/** The problem of a content-type whose only attribute is `a`, without the file's name. */
function problemOf(attribute: unknown, name = 'a'): string {
  const problems = problemsOf(contentType({ [name]: attribute }))
  expect(problems).to.have.lengthOf(1)
  return problems[0]?.replace('thing.json: ', '') ?? ''
}

describe('problems of an attribute', () => {
  const cases: readonly (readonly [attribute: unknown, problem: string])[] = [
    ['string', 'attributes.a: must be an object with a type'],
    [{}, 'attributes.a.type: an attribute needs a type'],
    [{ type: 7 }, 'attributes.a.type: must be text'],
    [
      { type: 'strng' },
      'attributes.a.type: there is no attribute type "strng"; did you mean "string"?',
    ],
    [{ type: 'customField' }, 'attributes.a.type: there is no attribute type "customField"'],
    [{ type: 'string', required: 'yes' }, 'attributes.a.required: must be true or false'],
    [
      { type: 'string', maxLength: -1 },
      'attributes.a.maxLength: must be a whole number that is not negative',
    ],
    [
      { type: 'string', minLength: 3, maxLength: 2 },
      'attributes.a.minLength: must not be above maxLength (2)',
    ],
    [
      { type: 'string', regex: '(' },
      'attributes.a.regex: Invalid regular expression: /(/: Unterminated group',
    ],
    [{ type: 'integer', min: 2, max: 1 }, 'attributes.a.min: must not be above max (1)'],
    [
      { type: 'biginteger', min: '9007199254740994', max: '9007199254740993' },
      'attributes.a.min: must not be above max (9007199254740993)',
    ],
    [{ type: 'integer', min: 1.5 }, 'attributes.a.min: must be a whole number'],
    [
      { type: 'biginteger', max: '9223372036854775808' },
      'attributes.a.max: must be a whole number',
    ],
    [{ type: 'decimal', max: 'nine' }, 'attributes.a.max: must be a number'],
    [{ type: 'enumeration' }, 'attributes.a.enum: an enumeration needs at least one value'],
    [
      { type: 'enumeration', enum: [] },
      'attributes.a.enum: an enumeration needs at least one value',
    ],
    [{ type: 'enumeration', enum: ['x', 1] }, 'attributes.a.enum: must be a list of texts'],
    [{ type: 'enumeration', enum: ['x', 'y', 'x'] }, 'attributes.a.enum: names "x" more than once'],
    [
      { type: 'enumeration', enum: ['x'], default: 'y' },
      'attributes.a.default: must be one of "x"',
    ],
    [{ type: 'string', default: 1 }, 'attributes.a.default: must be text'],
    [{ type: 'boolean', default: 'true' }, 'attributes.a.default: must be true or false'],
    [{ type: 'integer', default: 1.5 }, 'attributes.a.default: must be a whole number'],
    [{ type: 'float', default: '1' }, 'attributes.a.default: must be a number'],
    [{ type: 'date', default: 'today' }, 'attributes.a.default: must be a date (yyyy-MM-dd)'],
    [{ type: 'time', default: '9:00' }, 'attributes.a.default: must be a time (HH:mm:ss)'],
    [
      { type: 'datetime', default: 'now' },
      'attributes.a.default: must be a date and time in ISO form',
    ],
    [{ type: 'array', default: {} }, 'attributes.a.default: must be a list'],
    [{ type: 'json', unique: true }, 'attributes.a.unique: a json cannot be unique'],
    [{ type: 'blocks', index: true }, 'attributes.a.index: a blocks cannot be indexed'],
    [{ type: 'uid', targetField: 'b' }, 'attributes.a.targetField: there is no attribute "b"'],
    [
      { type: 'media', allowedTypes: ['image'] },
      'attributes.a.allowedTypes: there is no media type "image"; did you mean "images"?',
    ],
    [
      { type: 'component' },
      'attributes.a.component: needs the uid of a component, <category>.<name>',
    ],
    [
      { type: 'component', component: 'x.y' },
      'attributes.a.component: there is no component "x.y"',
    ],
    [
      { type: 'dynamiczone' },
      'attributes.a.components: needs the uids of the components it may hold',
    ],
    [
      { type: 'dynamiczone', components: ['x.y'] },
      'attributes.a.components: there is no component "x.y"',
    ],
    [
      { type: 'string', storedAs: '_id' },
      'attributes.a.storedAs: must begin with a letter and hold letters, digits and _ only',
    ],
    [
      { type: 'string', storedAs: 'locale' },
      'attributes.a.storedAs: "locale" is reserved: every entry has a field of that name',
    ],
  ]
  for (const [attribute, problem] of cases)
    it(`${JSON.stringify(attribute)} is refused`, () => {
      expect(problemOf(attribute)).to.equal(problem)
    })

  for (const name of ['id', 'documentId', 'createdAt', 'publishedAt', 'locale', 'localizations'])
    it(`the name ${name} is reserved`, () => {
      expect(problemOf({ type: 'string' }, name)).to.equal(
        `attributes.${name}: "${name}" is reserved: every entry has a field of that name`,
      )
    })

  for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty'])
    it(`the name ${name} is reserved`, () => {
      expect(problemOf({ type: 'string' }, name)).to.equal(
        `attributes.${name}: "${name}" is reserved`,
      )
    })

  for (const name of ['__proto__', '__component', '_id', '$eq', 'a.b', 'a-b', '1a', 'é', ''])
    it(`the name ${JSON.stringify(name)} is refused`, () => {
      const attributes = JSON.parse(`{${JSON.stringify(name)}:{"type":"string"}}`) as object
      expect(problemsOf(contentType({ ...attributes }))).to.deep.equal([
        `thing.json: attributes.${name}: a name begins with a letter and holds letters, digits and _ only (at most 100)`,
      ])
    })

  it('two attributes may not be stored in one field', () => {
    expect(
      problemsOf(contentType({ a: { type: 'string' }, b: { type: 'string', storedAs: 'a' } })),
    ).to.deep.equal(['thing.json: attributes.b.storedAs: "a" is where "a" is stored'])
  })

  it('a component may have a createdAt, but no id and no dynamic zone', () => {
    expect(
      problemsOf(
        component('shared.a', {
          id: { type: 'integer' },
          createdAt: { type: 'datetime' },
          zone: { type: 'dynamiczone', components: [] },
        }),
      ),
    ).to.deep.equal([
      'shared.a.json: attributes.id: "id" is reserved: every entry has a field of that name',
      'shared.a.json: attributes.zone.type: a component cannot hold a dynamic zone',
    ])
  })

  it('options.privateAttributes names attributes that are there', () => {
    const options = { privateAttributes: ['tilte', 'createdAt'] }
    expect(problemsOf(contentType({ title: { type: 'string' } }, { options }))).to.deep.equal([
      'thing.json: options.privateAttributes: there is no attribute "tilte"; did you mean "title"?',
      'thing.json: options.privateAttributes: there is no attribute "createdAt"',
    ])
  })
})
