import { expect } from 'chai'
import { startPolling } from '../../../engine/database/start-polling.js'

describe('What is looked at again and again', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const looking = () => {
    const reads: { resolve: () => void; reject: (error: unknown) => void }[] = []
    const failures: unknown[] = []
    const looked = startPolling(
      () =>
        new Promise<void>((resolve, reject) => {
          reads.push({ resolve, reject })
        }),
      (error) => failures.push(error),
    )
    return { reads, failures, ...looked }
  }

  it('is read when it is asked for, and once more for all who asked while it was read', async () => {
    const { reads, poll, stop } = looking()
    poll()
    poll()
    poll()
    expect(reads).to.have.length(1)
    reads[0]?.resolve()
    await settled()
    expect(reads).to.have.length(2)
    reads[1]?.resolve()
    await settled()
    expect(reads).to.have.length(2)
    stop()
  })

  it('is read by itself too, until it is stopped', async () => {
    const { reads, stop } = looking()
    while (reads.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    stop()
    reads[0]?.resolve()
  })

  it('tells of a failure, and is read again all the same', async () => {
    const { reads, failures, poll, stop } = looking()
    poll()
    reads[0]?.reject(new Error('away'))
    await settled()
    expect(failures.map(String)).to.deep.equal(['Error: away'])
    poll()
    expect(reads).to.have.length(2)
    stop()
    reads[1]?.resolve()
  })
})
