import type { CheckPopulate } from './check-populate.js'
import type { ContentType } from './content-type.js'
import { sender, type Endpoints } from './endpoints.js'
import type { RequestOptions } from './methods.js'
import type { Fields, Pagination, Populate, Sort } from './query.js'
import type { Result } from './result.js'
import type { Send } from './send.js'

/** The editable metadata of a file. */
export interface FileInfo {
  name?: string
  alternativeText?: string | null
  caption?: string | null
  /** The point to keep when the picture is cropped, in percent of its width and height. */
  focalPoint?: { x: number; y: number } | null
}

/** A file to upload. `fileName` is only needed if the content is not a `File`. */
export interface Upload {
  content: Blob
  fileName?: string
  info?: FileInfo
}

/** The entry and media field that the files are attached to. */
export interface AttachTo {
  /** uid of the content-type: `api::article.article`. */
  ref: string
  refId: string | number
  field: string
}

interface FileQuery<T extends ContentType, F, P> {
  readonly fields?: F | undefined
  readonly populate?: P & CheckPopulate<T, P>
}

interface FileListQuery<T extends ContentType, F, P> extends FileQuery<T, F, P> {
  readonly filters?: T['filters'] | undefined
  readonly sort?: Sort<T> | undefined
  readonly pagination?: Pagination | undefined
}

/**
 * A conditional type, because the compiler would take half a minute to compute the variance of a named type's
 * parameters.
 */
type Shown<E> = E extends unknown ? E & { isUrlSigned?: boolean } : never

type Found<T extends ContentType, F, P> = Shown<Result<T, { fields: F; populate: P }>>

/** Endpoints of the media library. Unlike other responses, theirs are not wrapped in an object with `data`. */
export interface Files<T extends ContentType> {
  upload(
    files: Upload | readonly Upload[],
    attachTo?: AttachTo,
    options?: RequestOptions,
  ): Promise<Shown<Result<T>>[]>
  find<
    const F extends Fields<T> | undefined = undefined,
    const P extends Populate<T> | undefined = undefined,
  >(
    query?: FileListQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<Found<T, F, P>[]>
  findOne<
    const F extends Fields<T> | undefined = undefined,
    const P extends Populate<T> | undefined = undefined,
  >(
    id: number | string,
    query?: FileQuery<T, F, P>,
    options?: RequestOptions,
  ): Promise<Found<T, F, P>>
  /** Changes the metadata of a file. */
  update(id: number | string, info: FileInfo, options?: RequestOptions): Promise<Shown<Result<T>>>
  /** Replaces the content of a file. */
  replace(id: number | string, upload: Upload, options?: RequestOptions): Promise<Shown<Result<T>>>
  /** Returns the deleted file. */
  delete(id: number | string, options?: RequestOptions): Promise<Shown<Result<T>>>
}

export function filesOf<T extends ContentType>(send: Send): Files<T> {
  const change = (id: number | string, body: FormData, options?: RequestOptions) =>
    sender(send, 'POST', '/upload', body)({ id }, options)
  const one = (id: number | string): string => `/upload/files/${encodeURIComponent(id)}`
  const methods: Endpoints<keyof Files<T>> = {
    upload: (files: Upload | readonly Upload[], attachTo?: AttachTo, options?: RequestOptions) => {
      const body = formOf([files].flat())
      for (const [name, value] of Object.entries(attachTo ?? {})) body.append(name, String(value))
      return send({ method: 'POST', path: '/upload', body, options })
    },
    find: sender(send, 'GET', '/upload/files'),
    findOne: (id: number | string, query?: object, options?: RequestOptions) =>
      sender(send, 'GET', one(id))(query, options),
    update: (id: number | string, info: FileInfo, options?: RequestOptions) => {
      const body = new FormData()
      body.append('fileInfo', JSON.stringify(info))
      return change(id, body, options)
    },
    replace: (id: number | string, upload: Upload, options?: RequestOptions) =>
      change(id, formOf([upload]), options),
    delete: (id: number | string, options?: RequestOptions) =>
      send({ method: 'DELETE', path: one(id), options }),
  }
  return methods as unknown as Files<T>
}

/** Converts uploads to a form with one `fileInfo` per file, in the order of the files. */
function formOf(uploads: readonly Upload[]): FormData {
  const form = new FormData()
  for (const { content, fileName } of uploads)
    if (fileName === undefined) form.append('files', content)
    else form.append('files', content, fileName)
  for (const { info } of uploads) form.append('fileInfo', JSON.stringify(info ?? {}))
  return form
}
