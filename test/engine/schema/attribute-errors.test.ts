import { expect } from 'chai'
import { component, contentType, problemsOf } from './define.js'

function problemOf(attribute: unknown, name = 'a'): string {
  const problems = problemsOf(contentType({ [name]: attribute }))
  expect(problems).to.have.lengthOf(1)
  return problems[0]?.replace('thing.json: ', '') ?? ''
}

describe('schema check of an attribute', () => {
  const cases: readonly (readonly [attribute: unknown, problem: string])[] = [
    ['string', 'attributes.a: must be an object with a type'],
    [{}, 'attributes.a.type: an attribute needs a type'],
    [{ type: 7 }, 'attributes.a.type: must be text'],
    [
      { type: 'strng' },
      'attributes.a.type: there is no attribute type "strng"; did you mean "string"?',
    ],
    [
      { type: 'number' },
      'attributes.a.type: there is no attribute type "number"; there are string, text, richtext, enumeration, email, password, uid, date, time, datetime, timestamp, integer, biginteger, float, decimal, boolean, json, array, blocks, component, dynamiczone, media, relation',
    ],
    [
      { type: 'string', required: 'yes' },
      'warned attributes.a.required: should be true or false; Quire uses true',
    ],
    [
      { type: 'string', maxLength: -1 },
      'warned attributes.a.maxLength: should be a whole number of 0 or more; it is ignored',
    ],
    [
      { type: 'string', minLength: 3, maxLength: 2 },
      'warned attributes.a.minLength: is above maxLength (2), so no text is valid',
    ],
    [
      { type: 'string', regex: '(' },
      'warned attributes.a.regex: the pattern is ignored: Invalid regular expression: /(/: Unterminated group',
    ],
    [
      { type: 'integer', min: 2, max: 1 },
      'warned attributes.a.min: is above max (1), so no value is valid',
    ],
    [
      { type: 'biginteger', min: '9007199254740994', max: '9007199254740993' },
      'warned attributes.a.min: is above max (9007199254740993), so no value is valid',
    ],
    [
      { type: 'biginteger', max: '9223372036854775808' },
      'warned attributes.a.max: should be a number; the limit is ignored',
    ],
    [
      { type: 'decimal', max: 'nine' },
      'warned attributes.a.max: should be a number; the limit is ignored',
    ],
    [{ type: 'enumeration' }, 'attributes.a.enum: an enumeration needs at least one value'],
    [{ type: 'enumeration', enum: [] }, 'warned attributes.a.enum: no value is valid'],
    [{ type: 'enumeration', enum: ['x', {}] }, 'attributes.a.enum: must be a list of texts'],
    [{ type: 'enumeration', enum: ['x', 'y', 'x'] }, 'attributes.a.enum: names "x" more than once'],
    [
      { type: 'enumeration', enum: ['x'], default: 'y' },
      'warned attributes.a.default: should be one of "x"; the default is ignored',
    ],
    [
      { type: 'string', default: 1 },
      'warned attributes.a.default: should be text; the default is ignored',
    ],
    [
      { type: 'boolean', default: 'true' },
      'warned attributes.a.default: should be true or false; the default is ignored',
    ],
    [
      { type: 'integer', default: 1.5 },
      'warned attributes.a.default: should be a whole number; the default is ignored',
    ],
    [
      { type: 'float', default: '1' },
      'warned attributes.a.default: should be a number; the default is ignored',
    ],
    [
      { type: 'date', default: 'today' },
      'warned attributes.a.default: should be a date (yyyy-MM-dd); the default is ignored',
    ],
    [
      { type: 'time', default: '9:00' },
      'warned attributes.a.default: should be a time (HH:mm:ss); the default is ignored',
    ],
    [
      { type: 'datetime', default: 'now' },
      'warned attributes.a.default: "now" is the time of each create',
    ],
    [
      { type: 'array', default: {} },
      'warned attributes.a.default: should be a list; the default is ignored',
    ],
    [
      { type: 'json', unique: true },
      'warned attributes.a.unique: a json cannot be unique: values may repeat',
    ],
    [{ type: 'blocks', index: true }, 'warned attributes.a.index: a blocks cannot be indexed'],
    [
      { type: 'uid', targetField: 'b' },
      'warned attributes.a.targetField: there is no attribute "b"',
    ],
    [
      { type: 'media', allowedTypes: ['image'] },
      'warned attributes.a.allowedTypes: it is left out: there is no media type "image"; did you mean "images"?',
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
      'warned attributes.a.components: it is left out: there is no component "x.y"',
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
    it(`${problem.startsWith('warned ') ? 'warns about' : 'rejects'} ${JSON.stringify(attribute)}`, () => {
      expect(problemOf(attribute)).to.equal(problem)
    })

  for (const name of ['id', 'documentId', 'createdAt', 'publishedAt', 'locale', 'localizations'])
    it(`leaves out an attribute named ${name}`, () => {
      expect(problemOf({ type: 'string' }, name)).to.equal(
        `warned attributes.${name}: every entry already has a "${name}": this attribute is left out`,
      )
    })

  for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty', '__component'])
    it(`leaves out an attribute named ${name}`, () => {
      expect(problemOf({ type: 'string' }, name)).to.equal(
        `warned attributes.${name}: "${name}" cannot be the name of an attribute here: it is left out`,
      )
    })

  it('accepts the name 12 with a warning', () => {
    expect(problemsOf(contentType({ 12: { type: 'string' } }))).to.deep.equal([
      'warned thing.json: attributes.12: a name of digits is read as a list index, so filters and populate cannot use it; use a name such as "x12"',
    ])
  })

  for (const name of ['$eq', 'a.b', ''])
    it(`rejects the name ${JSON.stringify(name)}`, () => {
      const attributes = JSON.parse(`{${JSON.stringify(name)}:{"type":"string"}}`) as object
      expect(problemsOf(contentType({ ...attributes }))).to.deep.equal([
        `thing.json: attributes.${name}: a name must have 1 to 100 characters, without ".", NUL and unpaired surrogates, and must not begin with "$"`,
      ])
    })

  it('rejects two attributes that are stored in one field', () => {
    expect(
      problemsOf(contentType({ a: { type: 'string' }, b: { type: 'string', storedAs: 'a' } })),
    ).to.deep.equal([
      'thing.json: attributes.a.storedAs: "b" is stored as "a". Store "a" in another field: "storedAs": "a_2"',
    ])
  })

  it('accepts createdAt in a component, but leaves out id and dynamic zones', () => {
    expect(
      problemsOf(
        component('shared.a', {
          id: { type: 'integer' },
          createdAt: { type: 'datetime' },
          zone: { type: 'dynamiczone', components: [] },
        }),
      ),
    ).to.deep.equal([
      'warned shared.a.json: attributes.id: every entry already has a "id": this attribute is left out',
      'warned shared.a.json: attributes.zone.type: it is left out: in Quire a component cannot contain a dynamic zone',
    ])
  })

  it('warns about unknown attributes in options.privateAttributes', () => {
    const options = { privateAttributes: ['tilte', 'createdAt', 'localizations', 'id'] }
    expect(problemsOf(contentType({ title: { type: 'string' } }, { options }))).to.deep.equal([
      'warned thing.json: options.privateAttributes: there is no attribute "tilte"; did you mean "title"?',
      'warned thing.json: options.privateAttributes: there is no attribute "id"',
    ])
  })

  for (const [name, trouble, better] of [
    ['9x', 'clients must write entry["9x"]', 'x9x'],
    ['a:b', 'clients must write entry["a:b"]', 'a_b'],
    ['a[b]', 'clients must write entry["a[b]"]', 'a_b'],
    [' a', 'clients must write entry[" a"]', 'a'],
    ['a ', 'clients must write entry["a "]', 'a'],
    ['a,b', 'a list of names (fields=a,b) cannot contain it', 'a_b'],
    ['og:title', 'clients must write entry["og:title"]', 'og_title'],
    ['reading-time', 'clients must write entry["reading-time"]', 'reading_time'],
    ['price (€)', 'clients must write entry["price (€)"]', 'price'],
    ['a, b', 'a list of names (fields=a,b) cannot contain it', 'a_b'],
    ['€', 'clients must write entry["€"]', 'x'],
  ] as const)
    it(`warns about the name ${name} and suggests a better one`, () => {
      expect(problemOf({ type: 'string' }, name)).to.equal(
        `warned attributes.${name}: ${trouble}; use a name such as "${better}"`,
      )
    })

  it('accepts names that clients can write without brackets', () => {
    for (const name of ['title', '_legacy', 'größe', 'x9', 'camelCase'])
      expect(problemsOf(contentType({ [name]: { type: 'string' } })), name).to.deep.equal([])
  })
})
