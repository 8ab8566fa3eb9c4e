import type { Readable } from 'node:stream'

/** Values of a file's `provider`. */
export const providerNames = ['local', 'gridfs', 's3'] as const

/** Stored content: its size in bytes, and when it was stored. */
export type StoredContent = Readonly<{ size: number; modifiedAt: Date }>

/** First and last byte, both inclusive. */
export type ByteRange = Readonly<{ start: number; end: number }>

/**
 * A store for the content of files. Their metadata is in the database. Names are safe: `file-name.ts` creates them, and
 * they contain only `[a-z0-9_-]` of a request's text, and only `[A-Za-z0-9_-]` of an imported name.
 *
 * Failures of the store, such as a full disk or an unresponsive server, are thrown as `notDone`, a 503. Errors of
 * `content` and `signal` are thrown unchanged.
 */
export type StorageProvider = Readonly<{
  /** Value of a file's `provider`. */
  name: (typeof providerNames)[number]
  /**
   * Reads `content` to its end and stores it under a new name. If `content` fails or `signal` aborts, nothing is stored
   * and `content` is destroyed. Returns the number of bytes.
   */
  put: (
    name: string,
    content: Readable,
    about: Readonly<{ mime: string }>,
    signal?: AbortSignal,
  ) => Promise<number>
  /** Describes the content that is stored under a name. Like `open`, returns undefined if there is none. */
  stat: (name: string) => Promise<StoredContent | undefined>
  /**
   * Opens the content, or a range that it contains. A caller that does not read the stream to its end must destroy it.
   */
  open: (name: string, range?: ByteRange) => Promise<Readable | undefined>
  /**
   * Removes the content that is stored under a name, if any. Stops waiting for an unresponsive server when `signal`
   * aborts.
   */
  remove: (name: string, signal?: AbortSignal) => Promise<void>
  /** Returns the file's `url`: absolute, or a path of this service (`/uploads/<name>`). */
  url: (name: string) => string
  /** Lists all stored content, in no particular order. */
  list: () => AsyncIterable<StoredContent & Readonly<{ name: string }>>
  /**
   * Removes the remains of `put` calls that did not finish because their process was killed, if nothing was written for
   * `olderThanMs`. Returns the number of these calls. If `removes` is false, only counts them.
   */
  removeUnfinished: (olderThanMs: number, removes?: boolean) => Promise<number>
  /**
   * Returns an expiring link that leads to the content in the store itself. Absent if the store cannot create links.
   */
  link?: (
    name: string,
    headers: Readonly<{ contentType: string; contentDisposition?: string | undefined }>,
    expiresAt: Date,
  ) => Promise<string>
  /** Present if the store could be confused with another one, such as a folder on a volume that is not mounted. */
  marker?: StoreMarker
  close?: () => Promise<void>
}>

/** Distinguishes a store from others of its kind by a random id in the store. Its functions throw `MarkerError`. */
export type StoreMarker = Readonly<{
  /** Location of the store for messages, such as a path. */
  where: string
  /** Returns the id in the store; undefined if the store has none yet. */
  read: () => Promise<string | undefined>
  /** Returns the id in the store. If there is none, creates one; concurrent calls return the same id. */
  readOrMake: () => Promise<string>
}>

/** All configured providers. New files are stored in the chosen one; files are read from all of them. */
export type Providers = Readonly<{
  chosen: StorageProvider
  byName: (name: string) => StorageProvider | undefined
  /** All providers, the chosen one first. */
  all: readonly StorageProvider[]
}>

/** Thrown if the marker of a store is damaged, or cannot be read or written. */
export class MarkerError extends Error {
  override name = 'MarkerError'
}
