import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'

/** What tokens are signed and hashed with. */
export type Secrets = Readonly<{
  /** The first signs; tokens of the others are still accepted. */
  jwt: readonly [string, ...string[]]
  apiTokenSalt: string
}>

type SecretsDocument = { _id: string; jwt: string; apiTokenSalt: string }

type Given = Readonly<{
  jwtSecret?: string
  formerJwtSecrets?: readonly string[]
  apiTokenSalt?: string
}>

/**
 * The secrets of the configuration; those that it does not name are generated once and kept in `_settings {
 * _id: 'secrets' }`, the same for every process of the database (docs/decisions.md, "Settings").
 */
export async function readSecrets(
  db: Db,
  { jwtSecret, formerJwtSecrets = [], apiTokenSalt }: Given,
): Promise<Secrets> {
  if (jwtSecret !== undefined && apiTokenSalt !== undefined)
    return { jwt: [jwtSecret, ...formerJwtSecrets], apiTokenSalt }
  const kept = await keepOnce(db)
  return {
    jwt: [jwtSecret ?? kept.jwt, ...formerJwtSecrets],
    apiTokenSalt: apiTokenSalt ?? kept.apiTokenSalt,
  }
}

async function keepOnce(db: Db): Promise<SecretsDocument> {
  const settings = db.collection<SecretsDocument>('_settings')
  const random = () => randomBytes(32).toString('base64url')
  const kept = await asFirstWriter(() =>
    settings.findOneAndUpdate(
      { _id: 'secrets' },
      { $setOnInsert: { jwt: random(), apiTokenSalt: random() } },
      { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority', journal: true } },
    ),
  )
  if (kept === null) throw new Error('The secrets in _settings disappeared while they were read')
  return kept
}
