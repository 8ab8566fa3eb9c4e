import { expect } from 'chai'
import { traceIdOf } from '../../../../server/http/observe/access-log.js'

describe('traceIdOf', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'

  it('returns the trace id of a traceparent header with any flags', () => {
    for (const flags of ['00', '01', 'ff'])
      expect(traceIdOf(`00-${trace}-${parent}-${flags}`)).to.equal(trace)
  })

  it('accepts later versions with additional fields', () => {
    expect(traceIdOf(`01-${trace}-${parent}-01`)).to.equal(trace)
    expect(traceIdOf(`fe-${trace}-${parent}-01-what-is-to-come`)).to.equal(trace)
  })

  const invalid: Readonly<Record<string, string | undefined>> = {
    'no header': undefined,
    'an empty header': '',
    'another text': 'abc',
    'capital letters': `00-${trace.toUpperCase()}-${parent}-01`,
    'a trace id of zeros': `00-${'0'.repeat(32)}-${parent}-01`,
    'a parent id of zeros': `00-${trace}-${'0'.repeat(16)}-01`,
    'the forbidden version ff': `ff-${trace}-${parent}-01`,
    'additional fields in version 00': `00-${trace}-${parent}-01-more`,
    'additional fields of a later version without a dash': `01-${trace}-${parent}-01more`,
    'a trace id that is too short': `00-${trace.slice(1)}-${parent}-01`,
    'several headers': `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
    'a line break': `00-${trace}-${parent}-01\n`,
    'a very long text': `01-${trace}-${parent}-01-${'a'.repeat(300)}`,
  }
  for (const [what, header] of Object.entries(invalid))
    it(`returns undefined for ${what}`, () => expect(traceIdOf(header)).to.equal(undefined))
})
