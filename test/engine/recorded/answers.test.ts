import { expect } from 'chai'
import { answerings, showAnswer } from './answers.js'
import { readLines } from './read-lines.js'

/** `recorded/answers.jsonl`, written by `node dist/test/engine/recorded/record.js`: its diff is what changes. */
describe('What was found is answered as it was recorded:', () => {
  const lines = readLines('answers')

  it('each of them is recorded', () => {
    expect(lines).to.have.length(answerings.length)
  })

  for (const [at, answering] of answerings.entries()) {
    const { asked, ...how } = answering
    it(`${asked.of} ${asked.search} ${JSON.stringify(how)}`, () => {
      expect(showAnswer(answering)).to.equal(lines[at])
    })
  }
})
