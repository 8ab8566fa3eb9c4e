import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** What is written goes into a file, and from some point on to a reader, after all that is in the file. */
export type Spool = Readonly<{
  target: Writable
  /** From here on what is written goes to `reader`, which takes what was kept before as well. */
  passOn: (reader: Writable) => void
}>

/**
 * @param file new; it is removed by whoever has its folder
 * @param onKept called when a part of it was written into the file
 */
export async function createSpool(file: string, onKept: () => void): Promise<Spool> {
  const handle = await open(file, 'wx', 0o600)
  let reader: Writable | undefined
  let isKept = true
  const take = async (chunk: Uint8Array): Promise<void> => {
    if (reader !== undefined) return send(await begun(reader), chunk)
    await handle.appendFile(chunk)
    onKept()
  }
  /** The reader, when it has what was kept. */
  const begun = async (to: Writable): Promise<Writable> => {
    if (isKept) {
      isKept = false
      await handle.close()
      await pipeline(createReadStream(file), to, { end: false })
    }
    return to
  }
  return {
    target: new Writable({
      write: (chunk: Uint8Array, _encoding, done) => void take(chunk).then(() => done(), done),
      final: (done) =>
        void (reader === undefined ? handle.close() : end(begun(reader))).then(() => done(), done),
    }),
    passOn: (to) => {
      reader = to
    },
  }
}

const end = async (reader: Promise<Writable>): Promise<void> => {
  const to = await reader
  await new Promise<void>((resolve, reject) => {
    to.once('error', reject)
    to.end(resolve)
  })
}

/** Resolves when it was taken over: a reader that is slow is waited for. */
const send = (reader: Writable, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    reader.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
