import { expect } from 'chai'
import { createPattern } from '../../../engine/patterns/pattern.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import { validate } from '../../../engine/write/rules/validate.js'
import { contentType, define } from '../schema/define.js'

const vowels = createPattern('^[aeiou]+$')
/** Look-aheads cannot be matched in linear time. */
const ahead = createPattern('^(?=a)a')
const others = createPattern('^(?=b)b')

describe('createPatternAnswers', () => {
  it('answers at once if the pattern takes linear time', () => {
    const answers = createPatternAnswers()
    expect(answers.find(vowels, 'aei')).to.equal('found')
    expect(answers.find(vowels, 'abc')).to.equal('missing')
    expect(answers.open()).to.deep.equal([])
  })

  it('leaves slow patterns open, once for each text and pattern', () => {
    const answers = createPatternAnswers()
    for (const text of ['a', 'b', 'a']) expect(answers.find(ahead, text)).to.equal(undefined)
    expect(answers.find(others, 'a')).to.equal(undefined)
    expect(answers.open()).to.deep.equal([
      { source: ahead.source, text: 'a' },
      { source: ahead.source, text: 'b' },
      { source: others.source, text: 'a' },
    ])
  })

  it('uses the learned answers, in the order of the open checks', () => {
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

  it('leaves a check open if the write has used all its steps on the main thread', () => {
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
    // Checks a short text if the remaining steps are enough for it.
    const left = 250_000 - possible * steps
    if (left > 50 + linear.stepsPerUnit) expect(answers.find(vowels, 'a')).to.equal('found')
  })

  it('leaves a text open that exceeds the step limit on its own', () => {
    const linear = { stepsPerUnit: 1, test: () => true }
    const slow = { source: 'slow', native: /x/, linear }
    expect(createPatternAnswers().find(slow, 'x'.repeat(249_950))).to.equal('found')
    expect(createPatternAnswers().find(slow, 'x'.repeat(249_951))).to.equal(undefined)
  })

  it('counts a minimum number of steps for short texts', () => {
    const linear = { stepsPerUnit: 0, test: () => true }
    const empty = { source: 'empty', native: /x/, linear }
    const answers = createPatternAnswers()
    const found = Array.from({ length: 5001 }, () => answers.find(empty, ''))
    expect(found.slice(4999)).to.deep.equal(['found', undefined])
  })
})

describe('attribute with a regex', () => {
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

  it('rejects a text that does not match', () => {
    expect(failures({ line: 'aei' })).to.deep.equal([])
    expect(failures({ line: 'xyz' })).to.deep.equal([
      {
        path: ['line'],
        message: 'line must match the following: "/^[aeiou]+$/"',
        value: 'xyz',
      },
    ])
  })

  it('passes while the check is open, and fails when the answer is known', () => {
    const answers = createPatternAnswers()
    const body = { ahead: 'b' }
    expect(failures(body, answers)).to.deep.equal([])
    expect(answers.open()).to.deep.equal([{ source: '^(?=a)a', text: 'b' }])
    answers.learn(['missing'])
    expect(failures(body, answers).map(({ message }) => message)).to.deep.equal([
      'ahead must match the following: "/^(?=a)a/"',
    ])
  })

  it('rejects a text whose check took too long', () => {
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

  it('is not matched for null and for values of other types', () => {
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
