import express from 'express'
import type { Express } from 'express'
import helmet from 'helmet'
import type { Db } from 'mongodb'
import { floorRoutes } from './routes.js'

/** The same answers from Express and helmet as they come, with the `ETag` that Express makes. */
export function expressFloor(db: Db): Express {
  const app = express()
  app.use(helmet())
  app.use(express.json())
  for (const { name, method, hasId, status, answer } of floorRoutes) {
    const verb = method.toLowerCase() as 'get' | 'post' | 'put'
    app[verb](`/${name}${hasId ? '/:id' : ''}`, async (request, response) => {
      const [, search = ''] = request.originalUrl.split('?', 2)
      const { id = '' } = request.params as { id?: string }
      const json = await answer(db, {
        id,
        query: new URLSearchParams(search),
        body: request.body as unknown,
      })
      response.status(status).type('json').send(json)
    })
  }
  return app
}
