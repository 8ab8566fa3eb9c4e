import { expect } from 'chai'
import { createClosing } from '../../../server/lifecycle/closing.js'
import { startJournal } from '../database/support.js'

describe('closeAll', () => {
  it('closes resources in reverse order, even if one of them fails', async () => {
    const { log, find } = startJournal()
    const closing = createClosing(log)
    const closed: string[] = []
    closing.add('The first', () => Promise.resolve(closed.push('first')))
    closing.add('The second', () => Promise.reject(new Error('It is broken')))
    closing.add('The third', () => Promise.resolve(closed.push('third')))
    await closing.closeAll()
    await closing.closeAll()
    expect(closed).to.deep.equal(['third', 'first'])
    expect(find('The second could not be closed')).to.have.property('level', 50)
  })

  it('does not wait for a resource longer than its timeout', async () => {
    const { log, find } = startJournal()
    const closing = createClosing(log)
    let closed = false
    closing.add('The first', () => Promise.resolve((closed = true)))
    closing.add('The second', () => new Promise(() => undefined), 20)
    await closing.closeAll()
    expect(closed).to.equal(true)
    expect(find('The second could not be closed')).to.deep.include({ level: 50 })
  })

  it('handles an error of a resource after its timeout', async () => {
    const { log } = startJournal()
    const closing = createClosing(log)
    let fail: (error: Error) => void = () => undefined
    closing.add('The first', () => new Promise((_, reject) => (fail = reject)), 20)
    await closing.closeAll()
    // An unhandled rejection would end the process.
    fail(new Error('The connection is closed'))
    await new Promise((resolve) => setImmediate(resolve))
  })
})
