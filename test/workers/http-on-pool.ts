import type { DestinationStream } from 'pino'
import { fullGrant } from '../../engine/schema/grant.js'
import { createDocuments } from '../../server/content/create-documents.js'
import { contentDispatcher } from '../../server/content/dispatcher.js'
import { inlineLane, laneExecutor, pooledLane, twoLanes } from '../../workers/executor.js'
import type { Pool } from '../../workers/pool.js'
import type { TestApp } from '../support/start-app.js'
import { startHttp, type RunningHttp } from '../support/start-http.js'

/** A query heavy enough for the pool, of articles as `insertSlowArticles` makes them, and quick. */
export const pooledPath = '/api/authors?filters[articles][title]=Title 1'

/** The content of a service, open to everybody, whose heavy queries run in this pool. */
export function startHttpOnPool(
  services: TestApp['quire']['services'],
  pool: Pool,
  log: DestinationStream,
): Promise<RunningHttp> {
  const executor = laneExecutor(twoLanes(inlineLane(services.db), pooledLane(pool), 50))
  const documents = createDocuments({ ...services, executor, exactMetadata: false })
  return startHttp({
    content: contentDispatcher({ ...services, documents }),
    access: { authorize: () => Promise.resolve({ kind: 'public', grant: fullGrant }) },
    log,
  })
}
