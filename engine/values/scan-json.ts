import { fail, type ApiError } from '../errors.js'

/** Maximum nesting depth of JSON from clients (docs/internals/decisions.md, "Nothing a client sends is a 500"). */
const clientDepth = 100
/** Maximum nesting depth of a MongoDB document. */
export const documentDepth = 200
/** More values and keys would not fit into a document of 16 MB. */
const maxValues = 2_000_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Maximum size in bytes of each item of the lists in the root object. `bound` is the name of the setting. */
export type ItemLimit = Readonly<{ bytes: number; bound: string }>

/**
 * Checks the limits of a JSON text in UTF-8, chunk by chunk, in linear time and constant memory. `JSON.parse` would
 * first build all values: one megabyte of `[` takes 50 MB. Does not check whether the text is valid JSON.
 */
export class JsonScanner {
  readonly #maxDepth: number
  readonly #itemLimit: ItemLimit | undefined
  #depth = 0
  #inString = false
  #escaped = false
  #position = 0
  #itemStart = 0
  #values = 0

  constructor(options: Readonly<{ maxDepth?: number; itemLimit?: ItemLimit | undefined }> = {}) {
    this.#maxDepth = options.maxDepth ?? clientDepth
    this.#itemLimit = options.itemLimit
  }

  get values(): number {
    return this.#values
  }

  /** @throws ApiError 400 for too many levels or more than 2,000,000 values, 413 for an item that is too large */
  push(chunk: Uint8Array): void {
    let inString = this.#inString
    let escaped = this.#escaped
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk[at] as number
      if (inString) {
        if (escaped) escaped = false
        else if (code === backslash) escaped = true
        else if (code === quote) inString = false
      } else if (code === quote) inString = true
      else if (code === comma || code === colon) this.#values += 1
      else if (code === openBracket || code === openBrace) this.#open(this.#position + at)
      else if (code === closeBracket || code === closeBrace) this.#close(this.#position + at)
    }
    this.#inString = inString
    this.#escaped = escaped
    this.#position += chunk.length
    if (this.#depth > 2) this.#checkItem(this.#position)
    if (this.#values > maxValues) throw tooManyValues()
  }

  #open(at: number): void {
    this.#values += 1
    this.#depth += 1
    if (this.#depth > this.#maxDepth) throw tooDeep(this.#maxDepth, at)
    if (this.#depth === 3) this.#itemStart = at
  }

  #close(at: number): void {
    if (this.#depth === 3) this.#checkItem(at + 1)
    this.#depth -= 1
  }

  #checkItem(end: number): void {
    const limit = this.#itemLimit
    if (limit !== undefined && end - this.#itemStart > limit.bytes)
      throw fail('payload-too-large', { bound: limit.bound })
  }
}

/**
 * Checks the limits of a JSON text before it is parsed.
 * @throws ApiError 400 for more than `maxDepth` levels or more than 2,000,000 values
 */
export function checkJsonBounds(text: string, maxDepth: number = clientDepth): void {
  new JsonScanner({ maxDepth }).push(Buffer.from(text))
}

const tooDeep = (maxDepth: number, at: number): ApiError =>
  fail('validation', `The JSON is nested deeper than ${maxDepth} levels at byte ${at}`, {
    path: null,
    source: 'body',
  })

const tooManyValues = (): ApiError =>
  fail('limit-exceeded', {
    what: 'The number of values and keys in the JSON',
    bound: 'values',
    limit: maxValues,
  })
