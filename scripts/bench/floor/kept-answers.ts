import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import express from 'express'
import helmet from 'helmet'

/**
 * A floor in a process of its own: Express with helmet, which answers `/0`, `/1` … with the files that its arguments
 * name, out of memory. It listens on `PORT`. Its tags are made beforehand: Express would make one for each answer.
 */
const app = express()
app.use(helmet())
for (const [index, file] of process.argv.slice(2).entries()) {
  const bytes = readFileSync(file)
  const tag = `"${hash('sha1', bytes, 'base64url')}"`
  app.get(`/${index}`, (_request, response) => {
    response.setHeader('ETag', tag)
    response.type('json').send(bytes)
  })
}
const server = createServer(app)
server.listen(Number(process.env['PORT']), '127.0.0.1')

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(0))
