import type { Readable } from 'node:stream'

/** Those that there are here, of a file's `provider`. */
export const providerNames = ['local', 'gridfs', 's3'] as const

/** Of a stored content: its bytes, and since when it is there. */
export type StoredContent = Readonly<{ size: number; modifiedAt: Date }>

/** First and last byte, both included. */
export type ByteRange = Readonly<{ start: number; end: number }>

/**
 * Where the content of files is kept; what they are called, how large they are and who uses them is in
 * the database. Names are made by `file-name.ts` and contain nothing of a request but `[a-z0-9_-]`, of what was imported `[A-Za-z0-9_-]`.
 * What goes wrong in the store itself (no room, a failing disk, a database or a server that does not answer)
 * reaches the caller as `notDone`, a 503; what goes wrong with `content` or by `signal` as it came.
 */
export type StorageProvider = Readonly<{
  /** Of a file's `provider`. */
  name: (typeof providerNames)[number]
  /**
   * Stores `content`, read to its end, under a name that is new: whole or not at all. An error of `content` and
   * `signal` end it, and nothing is kept; `content` is destroyed then. Answers how many bytes it had.
   */
  put: (
    name: string,
    content: Readable,
    about: Readonly<{ mime: string }>,
    signal?: AbortSignal,
  ) => Promise<number>
  /** Undefined where there is nothing of that name, as with `open`. */
  stat: (name: string) => Promise<StoredContent | undefined>
  /** The content or a part of it, which is in it. Whoever does not read it to its end destroys it. */
  open: (name: string, range?: ByteRange) => Promise<Readable | undefined>
  /** Succeeds also where there is nothing of that name. By `signal` it gives up waiting for a server that hangs. */
  remove: (name: string, signal?: AbortSignal) => Promise<void>
  /** The file's `url`: absolute, or a path of this service (`/uploads/<name>`). */
  url: (name: string) => string
  /** All that is stored, in no order. */
  list: () => AsyncIterable<StoredContent & Readonly<{ name: string }>>
  /**
   * Removes what puts left behind whose process was killed, where nothing was written to it for `olderThanMs`;
   * answers how many there were. Where `removes` is false they are counted alone.
   */
  removeUnfinished: (olderThanMs: number, removes?: boolean) => Promise<number>
  /** A link of the store itself that ends, where it can give one. */
  link?: (
    name: string,
    headers: Readonly<{ contentType: string; contentDisposition?: string | undefined }>,
    expiresAt: Date,
  ) => Promise<string>
  /** Of a store that another one can stand in the place of without anybody's being told. */
  marker?: StoreMarker
  close?: () => Promise<void>
}>

/** What tells one store from another of the same kind. Its functions throw `MarkerError`. */
export type StoreMarker = Readonly<{
  /** In words: a path. */
  where: string
  /** Undefined where it has none yet. */
  read: () => Promise<string | undefined>
  /** Gives it one where it has none; of several who do so at once all get the same. */
  readOrMake: () => Promise<string>
}>

/** All that can be read from, and the one that takes what is new. */
export type Providers = Readonly<{
  chosen: StorageProvider
  byName: (name: string) => StorageProvider | undefined
  /** The chosen one first. */
  all: readonly StorageProvider[]
}>

/** A store cannot be read or written, or its marker is damaged. */
export class MarkerError extends Error {
  override name = 'MarkerError'
}
