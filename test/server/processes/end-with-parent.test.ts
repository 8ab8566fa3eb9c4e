import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { describeKilledParents } from './end-with-parent.js'

describeKilledParents([0, 100])

describe('stop-with-parent.js of `quire start`', () => {
  it('does not end the service when a worker thread loads it too', async () => {
    const module = new URL('../../../cli/start/stop-with-parent.js', import.meta.url).href
    const thread = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage('runs')`
    const program = `
      const { Worker } = require('node:worker_threads')
      new Worker(new URL(${JSON.stringify(`data:text/javascript,${thread}`)}))
        .once('message', (message) => console.log(message))`
    const child = spawn(process.execPath, [`--import=${module}`, '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(child, 'close')
    expect(output).to.equal('runs\n')
  })
})
