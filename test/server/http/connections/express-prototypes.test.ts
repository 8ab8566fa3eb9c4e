import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import express from 'express'
import { createHttpServer } from '../../../../server/http/connections/create-server.js'
import { readSettings } from '../../../../server/settings/read-settings.js'

describe('request and response objects', () => {
  it('have the prototypes of Express from the start', async () => {
    const app = express()
    app.use((request, response) => void response.send(request.path))
    const server = createHttpServer(readSettings({}, {}, []), app)
    const prototypes: unknown[] = []
    server.prependListener('request', (request, response) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/a/b`)
    expect(await answer.text()).to.equal('/a/b')
    expect(prototypes).to.have.length(2)
    expect(prototypes[0]).to.equal(app.request)
    expect(prototypes[1]).to.equal(app.response)
    server.close()
    server.closeAllConnections()
  })
})
