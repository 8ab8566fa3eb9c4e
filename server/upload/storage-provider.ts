import type { Readable } from 'node:stream'

/** Values of a file's `provider`. */
export const providerNames = ['local', 'gridfs', 's3'] as const

/** Stored content: its size in bytes, and when it was stored. */
export type StoredContent = Readonly<{ size: number; modifiedAt: Date }>

/** First and last byte, both inclusive. */
export type ByteRange = Readonly<{ start: number; end: number }>

/**
 * A store for the content of files; their metadata is in the database. Names are created by `file-name.ts` and contain
 * only `[a-z0-9_-]` of a request, and `[A-Za-z0-9_-]` of an import.
 *
 * Failures of the store (a full or failing disk, a database or server that does not respond) are thrown as `notDone`, a
 * 503. Errors of `content` and `signal` are thrown unchanged.
 */
export type StorageProvider = Readonly<{
  /** Value of a file's `provider`. */
  name: (typeof providerNames)[number]
  /**
   * Stores `content`, read to its end, under a new name: all or nothing. If `content` fails or `signal` aborts, nothing
   * is stored and `content` is destroyed. Returns the number of bytes.
   */
  put: (
    name: string,
    content: Readable,
    about: Readonly<{ mime: string }>,
    signal?: AbortSignal,
  ) => Promise<number>
  /** Returns undefined if there is no content of that name. So does `open`. */
  stat: (name: string) => Promise<StoredContent | undefined>
  /** Opens the content, or an existing range of it. Callers that do not read the stream to its end must destroy it. */
  open: (name: string, range?: ByteRange) => Promise<Readable | undefined>
  /** Succeeds even if there is nothing of that name. Stops waiting for an unresponsive server when `signal` aborts. */
  remove: (name: string, signal?: AbortSignal) => Promise<void>
  /** Returns the file's `url`: absolute, or a path of this service (`/uploads/<name>`). */
  url: (name: string) => string
  /** Lists all stored content, in no particular order. */
  list: () => AsyncIterable<StoredContent & Readonly<{ name: string }>>
  /**
   * Removes unfinished puts of killed processes, to which nothing was written for `olderThanMs`. Returns their number.
   * If `removes` is false, it only counts them.
   */
  removeUnfinished: (olderThanMs: number, removes?: boolean) => Promise<number>
  /** Returns an expiring link to the content in the store itself. Absent if the store does not support links. */
  link?: (
    name: string,
    headers: Readonly<{ contentType: string; contentDisposition?: string | undefined }>,
    expiresAt: Date,
  ) => Promise<string>
  /** Present if another store could take this store's place unnoticed. */
  marker?: StoreMarker
  close?: () => Promise<void>
}>

/** Identifies a store among others of its kind. Its functions throw `MarkerError`. */
export type StoreMarker = Readonly<{
  /** Place of the store for messages: a path. */
  where: string
  /** Undefined if the store has no marker yet. */
  read: () => Promise<string | undefined>
  /** Creates a marker if there is none. Concurrent calls get the same marker. */
  readOrMake: () => Promise<string>
}>

/** All providers for reading, and the chosen provider for new files. */
export type Providers = Readonly<{
  chosen: StorageProvider
  byName: (name: string) => StorageProvider | undefined
  /** The chosen provider comes first. */
  all: readonly StorageProvider[]
}>

/** Thrown if a store cannot be read or written, or its marker is damaged. */
export class MarkerError extends Error {
  override name = 'MarkerError'
}
