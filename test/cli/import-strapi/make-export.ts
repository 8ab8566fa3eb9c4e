import { createCipheriv, scryptSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { pack } from 'tar-stream'
import { sampleExport } from '../../support/sample-export.js'

/** Files by name: text, or lines of JSON. */
export type ExportFiles = Readonly<Record<string, string | readonly unknown[]>>

const metadata = JSON.stringify({
  createdAt: '2026-01-02T03:04:05.678Z',
  strapi: { version: '5.54.0' },
})

/** Writes an archive as `strapi export --no-encrypt` does. */
export function makeExport(file: string, files: ExportFiles): Promise<string> {
  return makeTar(file, { ...files, 'metadata.json': metadata, ...files })
}

/** Writes a compressed tar of only these files. */
export async function makeTar(file: string, files: ExportFiles): Promise<string> {
  const archive = pack()
  for (const [name, content] of Object.entries(files))
    archive.entry({ name }, typeof content === 'string' ? content : linesOf(content))
  archive.finalize()
  await writeFile(file, gzipSync(await buffer(archive)))
  return file
}

const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Writes the sample, compressed or not, and optionally encrypted in one of Strapi's formats. */
export async function rewriteSample(
  file: string,
  form: Readonly<{
    isPacked: boolean
    encrypted?: Readonly<{ key: string; salt: string | Buffer }>
  }>,
): Promise<string> {
  const packed = await readFile(sampleExport)
  const plain = form.isPacked ? packed : gunzipSync(packed)
  await writeFile(file, form.encrypted === undefined ? plain : encrypt(plain, form.encrypted))
  return file
}

/**
 * Encrypts like Strapi. A random salt (a buffer) precedes the ciphertext. Older formats have a fixed salt (a string),
 * which the file does not contain.
 */
function encrypt(plain: Buffer, { key, salt }: Readonly<{ key: string; salt: string | Buffer }>) {
  const cipher = createCipheriv('aes-128-ecb', scryptSync(key, salt, 16), null)
  const header =
    typeof salt === 'string'
      ? Buffer.alloc(0)
      : Buffer.concat([Buffer.from('STRAPI2\0'), Buffer.from([2, salt.length]), salt])
  return Buffer.concat([header, cipher.update(plain), cipher.final()])
}
