import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from 'mongodb'
import { legacyIds } from '../../server/content/legacy-ids.js'

/**
 * Writes which documentId each old id became: `{ "api::article.article": { "5f…": "x3k…" } }`. The file is whole or
 * not there.
 */
export async function writeMap(db: Db, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  await pipeline(Readable.from(textOf(db)), createWriteStream(unfinished))
  await rename(unfinished, file)
}

async function* textOf(db: Db): AsyncGenerator<string> {
  let type: string | undefined
  yield '{'
  for await (const { _id, documentId } of legacyIds(db).find().sort({ _id: 1 })) {
    const at = _id.lastIndexOf(':')
    const [uid, id] = [_id.slice(0, at), _id.slice(at + 1)]
    if (uid === type) yield ','
    else yield `${type === undefined ? '' : '\n  },'}\n  ${JSON.stringify(uid)}: {`
    type = uid
    yield `\n    ${JSON.stringify(id)}: ${JSON.stringify(documentId)}`
  }
  yield type === undefined ? '}\n' : '\n  }\n}\n'
}
