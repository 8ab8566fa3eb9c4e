import { expect } from 'chai'
import { createPattern } from '../../../engine/patterns/pattern.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import { validate } from '../../../engine/write/rules/validate.js'
import { contentType, define } from '../schema/define.js'

const vowels = createPattern('^[aeiou]+$')
/** No linear matcher has look-aheads. */
const ahead = createPattern('^(?=a)a')
const others = createPattern('^(?=b)b')

describe('What one write knows of its texts and patterns', () => {
  it('is found out at once where that takes linear time', () => {
    const answers = createPatternAnswers()
    expect(answers.find(vowels, 'aei')).to.equal('found')
    expect(answers.find(vowels, 'abc')).to.equal('missing')
    expect(answers.open()).to.deep.equal([])
  })

  it('is open where it may take long, each text once with each pattern', () => {
    const answers = createPatternAnswers()
    for (const text of ['a', 'b', 'a']) expect(answers.find(ahead, text)).to.equal(undefined)
    expect(answers.find(others, 'a')).to.equal(undefined)
    expect(answers.open()).to.deep.equal([
      { source: ahead.source, text: 'a' },
      { source: ahead.source, text: 'b' },
      { source: others.source, text: 'a' },
    ])
  })

  it('is known when it was found out elsewhere, in the order of what was open', () => {
    const answers = createPatternAnswers()
    for (const text of ['a', 'b', 'c']) answers.find(ahead, text)
    answers.learn(['found', 'missing'])
    expect(['a', 'b', 'c'].map((text) => answers.find(ahead, text))).to.deep.equal([
      ...['found', 'missing', 'unknown'],
    ])
    expect(answers.open()).to.deep.equal([])
    expect(answers.find(ahead, 'd')).to.equal(undefined)
    expect(answers.find(others, 'a')).to.equal(undefined)
    expect(answers.open()).to.deep.equal([
      { source: ahead.source, text: 'd' },
      { source: others.source, text: 'a' },
    ])
    answers.learn(['missing', 'found'])
    expect(answers.find(ahead, 'a')).to.equal('found')
    expect(answers.find(ahead, 'd')).to.equal('missing')
  })

  it('is open where one write has taken all the steps that it may on the main thread', () => {
    const { linear } = vowels
    if (linear === undefined) throw new Error('it is linear')
    const steps = linear.stepsPerUnit * 1000 + 50
    const possible = Math.floor(250_000 / steps)
    const answers = createPatternAnswers()
    const texts = Array.from({ length: possible }, () => 'a'.repeat(1000))
    expect(texts.map((text) => answers.find(vowels, text))).to.deep.equal(texts.map(() => 'found'))
    const one = 'e'.repeat(1000)
    expect(answers.find(vowels, one)).to.equal(undefined)
    expect(answers.open()).to.deep.equal([{ source: vowels.source, text: one }])
    // A short text may still have room.
    const left = 250_000 - possible * steps
    if (left > 50 + linear.stepsPerUnit) expect(answers.find(vowels, 'a')).to.equal('found')
  })

  it('leaves a text open that takes more than all of them, and takes one that takes just as many', () => {
    const linear = { stepsPerUnit: 1, test: () => true }
    const slow = { source: 'slow', native: /x/, linear }
    expect(createPatternAnswers().find(slow, 'x'.repeat(249_950))).to.equal('found')
    expect(createPatternAnswers().find(slow, 'x'.repeat(249_951))).to.equal(undefined)
  })

  it('counts short texts too', () => {
    const linear = { stepsPerUnit: 0, test: () => true }
    const empty = { source: 'empty', native: /x/, linear }
    const answers = createPatternAnswers()
    const found = Array.from({ length: 5001 }, () => answers.find(empty, ''))
    expect(found.slice(4999)).to.deep.equal(['found', undefined])
  })
})

describe('A text that has a pattern', () => {
  const registry = define(
    contentType({
      line: { type: 'string', regex: '^[aeiou]+$' },
      ahead: { type: 'string', regex: '^(?=a)a' },
      secret: { type: 'password', regex: '^(?=a)a' },
    }),
  )
  const type = typeOf(registry, 'api::thing.thing')
  const failures = (body: Readonly<Record<string, unknown>>, answers = createPatternAnswers()) =>
    validate(type, body, { rules: 'full', absent: 'keep' }, registry, answers).failures

  it('is told of where it does not match', () => {
    expect(failures({ line: 'aei' })).to.deep.equal([])
    expect(failures({ line: 'xyz' })).to.deep.equal([
      {
        path: ['line'],
        message: 'line must match the following: "/^[aeiou]+$/"',
        value: 'xyz',
      },
    ])
  })

  it('passes as long as it is open, and is told of when it is known', () => {
    const answers = createPatternAnswers()
    const body = { ahead: 'b' }
    expect(failures(body, answers)).to.deep.equal([])
    expect(answers.open()).to.deep.equal([{ source: '^(?=a)a', text: 'b' }])
    answers.learn(['missing'])
    expect(failures(body, answers).map(({ message }) => message)).to.deep.equal([
      'ahead must match the following: "/^(?=a)a/"',
    ])
  })

  it('is told of where nobody could find out in time', () => {
    const answers = createPatternAnswers()
    failures({ ahead: 'b' }, answers)
    answers.learn(['unknown'])
    expect(failures({ ahead: 'b' }, answers)).to.deep.equal([
      {
        path: ['ahead'],
        message: 'Matching ahead with the pattern "/^(?=a)a/" took too long',
        value: 'b',
      },
    ])
  })

  it('is not held against it where there is none', () => {
    for (const line of [null, undefined]) expect(failures({ line })).to.deep.equal([])
    const answers = createPatternAnswers()
    expect(failures({ line: 7, ahead: 7 }, answers).map(({ message }) => message)).to.deep.equal([
      ...['line', 'ahead'].map(
        (name) => `${name} must be a \`string\` type, but the final value was: \`7\`.`,
      ),
    ])
    expect(answers.open()).to.deep.equal([])
  })
})
