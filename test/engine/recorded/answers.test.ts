import { expect } from 'chai'
import { answerings, showAnswer } from './answers.js'
import { readLines } from './read-lines.js'

/** Compares with `recorded/answers.jsonl`. After a change, run `node dist/test/engine/recorded/record.js` and read the diff. */
describe('response of a read', () => {
  const lines = readLines('answers')

  it('is recorded for every case', () => {
    expect(lines).to.have.length(answerings.length)
  })

  for (const [at, answering] of answerings.entries()) {
    const { asked, ...how } = answering
    it(`is as recorded: ${asked.of} ${asked.search} ${JSON.stringify(how)}`, () => {
      expect(showAnswer(answering)).to.equal(lines[at])
    })
  }
})
