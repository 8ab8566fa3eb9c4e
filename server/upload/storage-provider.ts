import type { Readable } from 'node:stream'

export const providerNames = ['local', 'gridfs', 's3'] as const

/** Size in bytes and time of stored content. */
export type StoredContent = Readonly<{ size: number; modifiedAt: Date }>

/** First and last byte, both inclusive. */
export type ByteRange = Readonly<{ start: number; end: number }>

/**
 * A store for the content of files. Names are safe as paths: they consist of `[a-z0-9_-]`, or `[A-Za-z0-9_-]` if
 * imported, and an extension (`file-name.ts`). Failures, such as a full disk or an unresponsive server, are `notDone`
 * (503). Errors of `content` and `signal` are rethrown.
 */
export type StorageProvider = Readonly<{
  name: (typeof providerNames)[number]
  /**
   * Stores `content`. Returns the number of bytes. If `content` fails or `signal` aborts, destroys it and stores
   * nothing.
   */
  put: (
    name: string,
    content: Readable,
    about: Readonly<{ mime: string }>,
    signal?: AbortSignal,
  ) => Promise<number>
  /** Returns size and time of the content. Like `open`, returns undefined if there is no content. */
  stat: (name: string) => Promise<StoredContent | undefined>
  /** Opens the content, or a range of it. Destroy the stream unless it is read to its end. */
  open: (name: string, range?: ByteRange) => Promise<Readable | undefined>
  /** Removes the content, if any. When `signal` aborts, stops waiting for an unresponsive server. */
  remove: (name: string, signal?: AbortSignal) => Promise<void>
  /** Returns the file's `url`: absolute, or a path of this service (`/uploads/<name>`). */
  url: (name: string) => string
  /** Lists all content, in no particular order. */
  list: () => AsyncIterable<StoredContent & Readonly<{ name: string }>>
  /** Removes, or only counts, unfinished `put` calls without a write for `olderThanMs`. Returns their number. */
  removeUnfinished: (olderThanMs: number, removes?: boolean) => Promise<number>
  /** Returns an expiring link into the store. Absent if the store cannot create links. */
  link?: (
    name: string,
    headers: Readonly<{ contentType: string; contentDisposition?: string | undefined }>,
    expiresAt: Date,
  ) => Promise<string>
  /** Present if the store could be confused with another, such as a folder on an unmounted volume. */
  marker?: StoreMarker
  close?: () => Promise<void>
}>

/** Distinguishes a store from others of its kind by a random id. Throws `MarkerError`. */
export type StoreMarker = Readonly<{
  /** Location for messages, such as a path. */
  where: string
  /** Returns undefined if the store has no id yet. */
  read: () => Promise<string | undefined>
  /** Creates an id if there is none; concurrent calls return the same one. */
  readOrMake: () => Promise<string>
}>

/** New files are stored in the chosen provider; files are read from all. */
export type Providers = Readonly<{
  chosen: StorageProvider
  byName: (name: string) => StorageProvider | undefined
  /** The chosen one first. */
  all: readonly StorageProvider[]
}>

/** Thrown if the marker of a store is damaged, or cannot be read or written. */
export class MarkerError extends Error {
  override name = 'MarkerError'
}
