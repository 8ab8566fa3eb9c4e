import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { loadConfig } from '../../../server/settings/config.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { attackModel, loadAttackContent } from './model.js'

/** A data folder with the content of the attack, and the environment of a service that uses it. */
export type Target = Readonly<{
  folder: string
  environment: Readonly<Record<string, string>>
  /** This token may create articles, and nothing else. */
  token: string
  remove: () => Promise<void>
}>

/** Creates the target. Everybody may read all content; only the token may write. */
export async function makeTarget(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-attack-'))
  for (const [name, definition] of Object.entries(attackModel)) {
    const path = join(folder, 'schema', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(definition))
  }
  const environment = { DATA_DIR: join(folder, 'data'), SCHEMA_DIR: join(folder, 'schema') }
  const config = loadConfig({ ...environment, HOST: '127.0.0.1', PORT: '0' }, folder)
  const quire = await startQuire(config, { log: pino({ level: 'silent' }) })
  const { db } = quire.services
  await loadAttackContent(db)
  const permissions = ['article', 'tag'].flatMap((name) =>
    ['find', 'findOne'].map((action) => `api::${name}.${name}.${action}`),
  )
  const roles = db.collection<{ permissions: string[] }>('roles')
  await roles.updateOne({ type: 'public' }, { $addToSet: { permissions: { $each: permissions } } })
  const draft = { name: 'writer', description: '', type: 'custom', lifespan: null } as const
  const created = await quire.access.tokens.create(
    { ...draft, permissions: ['api::article.article.create'] },
    null,
  )
  await quire.stop()
  const token = created.accessKey
  return { folder, environment, token, remove: () => rm(folder, { recursive: true, force: true }) }
}
