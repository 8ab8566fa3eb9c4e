import { expect } from 'chai'
import { traceIdOf } from '../../../../server/http/observe/trace-parent.js'

describe('The id of a trace', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'

  it('is that of `traceparent`, sampled or not', () => {
    for (const flags of ['00', '01', 'ff'])
      expect(traceIdOf(`00-${trace}-${parent}-${flags}`)).to.equal(trace)
  })

  it('is that of a later version too, which may say more', () => {
    expect(traceIdOf(`01-${trace}-${parent}-01`)).to.equal(trace)
    expect(traceIdOf(`fe-${trace}-${parent}-01-what-is-to-come`)).to.equal(trace)
  })

  const invalid: Readonly<Record<string, string | undefined>> = {
    'no header': undefined,
    'an empty one': '',
    'another text': 'abc',
    'capital letters': `00-${trace.toUpperCase()}-${parent}-01`,
    'a trace of zeros': `00-${'0'.repeat(32)}-${parent}-01`,
    'a parent of zeros': `00-${trace}-${'0'.repeat(16)}-01`,
    'the version that is none': `ff-${trace}-${parent}-01`,
    'more than this version has': `00-${trace}-${parent}-01-more`,
    'more of a later one, without a dash': `01-${trace}-${parent}-01more`,
    'a trace that is too short': `00-${trace.slice(1)}-${parent}-01`,
    'several headers': `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
    'a line break': `00-${trace}-${parent}-01\n`,
    'a text without end': `01-${trace}-${parent}-01-${'a'.repeat(300)}`,
  }
  for (const [what, header] of Object.entries(invalid))
    it(`is none for ${what}`, () => expect(traceIdOf(header)).to.equal(undefined))
})
