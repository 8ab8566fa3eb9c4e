import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MongoClient } from 'mongodb'
import { connectDatabase } from '../../../server/database/connect.js'
import type { DatabaseHost } from '../../../server/database/host.js'
import { startDatabaseHost } from '../../../server/database/host.js'
import { startJournal, type Journal } from './support.js'

/** Steps to run after a test, in reverse order, even if the test failed. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = []

  add(step: () => Promise<unknown>): void {
    this.#steps.unshift(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0)) await step()
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
    this.add(() => rm(folder, { recursive: true, force: true }))
    return folder
  }

  async host(dataDir: string, { log }: Journal = startJournal()): Promise<DatabaseHost> {
    const host = await startDatabaseHost({ dataDir, log })
    this.add(() => host.stop())
    return host
  }

  async client(uri: string, maxPoolSize?: number): Promise<MongoClient> {
    const client = await connectDatabase(uri, { appName: 'test', maxPoolSize })
    this.add(() => client.close())
    return client
  }
}
