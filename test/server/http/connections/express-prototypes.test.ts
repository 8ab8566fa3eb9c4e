import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express from 'express'
import { createHttpServer } from '../../../../server/http/connections/create-server.js'
import { readSettings } from '../../../../server/settings/read-settings.js'

describe('a request and its response', () => {
  it('are born with the prototypes that Express gives them', async () => {
    const app = express()
    app.use((request, response) => void response.send(request.path))
    const server = createHttpServer(readSettings({}, {}, []), app)
    const born: unknown[] = []
    server.prependListener('request', (request, response) => {
      born.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/a/b`)
    expect(await answer.text()).to.equal('/a/b')
    expect(born).to.have.length(2)
    expect(born[0]).to.equal(app.request)
    expect(born[1]).to.equal(app.response)
    server.close()
    server.closeAllConnections()
  })
})
