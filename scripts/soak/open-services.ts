import { join } from 'node:path'
import { createToken, logInAdmin } from '../../cli/seed/access.js'
import { createApiClient } from '../../cli/seed/api-client.js'
import { seedDemo } from '../../cli/seed/seed-demo.js'
import { packageRoot } from '../../server/settings/own-command.js'
import type { Closers } from '../closers.js'
import { admin, serviceOptions } from '../bench/quire-service.js'
import { memoryOf } from '../process-table.js'
import { startDatabase } from '../start-database.js'
import { startServer } from '../start-server.js'
import type { SoakOptions } from './options.js'
import { figuresIn, type ProcessSample } from './verdict.js'

export type Services = Awaited<ReturnType<typeof openServices>>

/** Starts several services on one database with the demo's content. Creates a token and a user. */
export async function openServices({ instances, database, out }: SoakOptions, closers: Closers) {
  const folder = await closers.makeFolder('soak')
  const isUri = /^mongodb(\+srv)?:\/\//.test(database)
  const { uri, pids: databases } = await startDatabase(
    {
      dataDir: join(folder, 'database'),
      uri: isUri ? database : undefined,
      mongod: database === 'embedded' ? undefined : database,
    },
    closers,
  )
  const urls: string[] = []
  for (let at = 1; at <= instances; at += 1) {
    const environment = {
      MONGODB_URI: uri,
      DATABASE_EXCLUSIVE: String(instances === 1),
      DATA_DIR: join(folder, String(at)),
      SCHEMA_DIR: join(packageRoot, 'schema'),
      LOG_LEVEL: 'warn',
      UPLOAD_PROVIDER: 'gridfs',
      METRICS_ENABLED: 'true',
      // All logins of the soak test come from one IP address.
      AUTH_RATE_LIMIT_MAX: '1000000',
    }
    const service = serviceOptions({ name: `service-${at}`, environment }, folder)
    const { url, stop } = await startServer({ ...service, folder: out })
    closers.add(stop)
    urls.push(url)
  }
  const [base = ''] = urls
  await seedDemo({ base, admin })
  const { accessKey: token } = await createToken(await logInAdmin(base, admin), 'soak', '')
  const user = { email: 'soak@quire.example', password: admin.password }
  await createApiClient(base).post('/api/auth/local/register', { ...user, username: user.email })
  const { data: articles } = await createApiClient(base, token).get<{
    data: readonly { documentId: string }[]
  }>('/api/articles?fields=slug&pagination[pageSize]=100')
  return { urls, token, user, articles, databases }
}

/** Reads the metrics of each service from `/metrics`, and the memory of the database if this script has started it. */
export async function sampleProcesses({ urls, databases }: Services) {
  const database = { rss: await memoryOf(databases) }
  const processes: Record<string, ProcessSample> = { database }
  for (const [at, url] of urls.entries()) {
    const answer = await fetch(`${url}/metrics`).catch(() => undefined)
    processes[`service ${at + 1}`] = answer?.ok === true ? figuresIn(await answer.text()) : {}
  }
  return processes
}
