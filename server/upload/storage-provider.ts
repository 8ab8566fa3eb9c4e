import type { Readable } from 'node:stream'

/**
 * Where the content of files is kept; what they are called, how large they are and who uses them is in
 * the database. Names are made by `file-name.ts` and contain nothing of a request but `[a-z0-9_-]`.
 */
export type StorageProvider = Readonly<{
  /** Of the file's `provider`: `local`. */
  name: string
  /** Stores the content of a local file under a name, in place of what was there. Whole or not at all. */
  put: (name: string, sourcePath: string) => Promise<void>
  /** The content, or undefined where there is none of that name. */
  open: (name: string) => Promise<Readable | undefined>
  /** Succeeds also where there is nothing of that name. */
  remove: (name: string) => Promise<void>
  /** The file's `url`: absolute, or a path of this service. */
  url: (name: string) => string
}>
