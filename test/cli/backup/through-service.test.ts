import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'

describe('quire export --url', function () {
  this.timeout(300_000)
  const makeFolder = folderForEach()

  it('leaves no file if the response is cut off or an error', async () => {
    const folder = await makeFolder({})
    const cutting = createServer((request, response) => {
      if (request.url?.includes('exclude=media') === true) {
        response.writeHead(400, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ error: { message: 'No such thing' } }))
        return
      }
      response.writeHead(200)
      response.write(Buffer.alloc(4096, 1), () => response.destroy())
    })
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`
      const runExport = async (...more: readonly string[]) =>
        runQuireInProcess(['export', `${folder}/a.tar`, '--url', url, '--token', 'x', ...more], {
          env: {},
          cwd: folder,
        })
      const cut = await runExport()
      expect(cut.code).to.equal(1)
      expect(cut.stderr).to.match(/download of the archive was interrupted/)
      const refused = await runExport('--exclude', 'media')
      expect(refused.code).to.equal(1)
      expect(refused.stderr).to.match(/No such thing.*: the service responded with 400\)\n$/)
      expect((await runExport('--secrets')).code).to.equal(2)
      expect(await readdir(folder)).to.deep.equal([])
    } finally {
      cutting.close()
    }
  })
})
