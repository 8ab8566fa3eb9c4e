import type { DestinationStream } from 'pino'
import { fullGrant } from '../../engine/schema/grant.js'
import { createDocuments } from '../../server/content/create-documents.js'
import { contentDispatcher } from '../../server/content/dispatcher.js'
import { inlineRunner, createExecutor, pooledRunner } from '../../workers/executor.js'
import type { Pool } from '../../workers/pool.js'
import type { TestApp } from '../support/test-app.js'
import { startHttp, type RunningHttp } from '../support/start-http.js'

/** A query on `insertSlowArticles` that is expensive enough for the pool, but quick. */
export const pooledPath = '/api/authors?filters[articles][title]=Title 1'

/**
 * Starts an HTTP server for the content of a service. Everybody may read it, and expensive queries run in the given
 * pool.
 */
export function startHttpOnPool(
  services: TestApp['quire']['services'],
  pool: Pool,
  log: DestinationStream,
): Promise<RunningHttp> {
  const executor = createExecutor({
    inline: inlineRunner(services.db),
    pooled: pooledRunner(pool),
    costThreshold: 50,
  })
  const documents = createDocuments({ ...services, executor, exactMetadata: false })
  return startHttp({
    content: contentDispatcher({ ...services, documents }),
    access: { authorize: () => Promise.resolve({ kind: 'public', grant: fullGrant }) },
    log,
  })
}
