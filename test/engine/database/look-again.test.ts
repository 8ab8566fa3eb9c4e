import { expect } from 'chai'
import { startPolling } from '../../../engine/database/start-polling.js'

describe('startPolling', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const start = () => {
    const reads: { resolve: () => void; reject: (error: unknown) => void }[] = []
    const failures: unknown[] = []
    const polling = startPolling(
      () =>
        new Promise<void>((resolve, reject) => {
          reads.push({ resolve, reject })
        }),
      (error) => failures.push(error),
    )
    return { reads, failures, ...polling }
  }

  it('reads when polled, and once more for all polls during that read', async () => {
    const { reads, poll, stop } = start()
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

  it('reads without being polled, until it is stopped', async () => {
    const { reads, stop } = start()
    while (reads.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    stop()
    reads[0]?.resolve()
  })

  it('reports a failure and reads again on the next poll', async () => {
    const { reads, failures, poll, stop } = start()
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
