import { gzipSync } from 'node:zlib'

/** Description of a body, from which each attacking process generates the body itself. */
export type Body = Readonly<{ form: BodyForm; bytes: number; gzip?: true }>

type BodyForm = keyof typeof forms

/** Generators of JSON with almost `bytes` bytes. */
const forms = {
  arrays: (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'unclosed arrays': (bytes: number) => '['.repeat(bytes),
  objects: (bytes: number) => `${'{"a":'.repeat(bytes / 6 - 1)}0${'}'.repeat(bytes / 6 - 1)}`,
  numbers: (bytes: number) => `[${zeros(bytes - 2)}]`,
  'an article with numbers': (bytes: number) =>
    `{"data":{"title":"wide","json":[${zeros(bytes - 40)}]}}`,
  'an article with objects': (bytes: number) =>
    `{"data":{"title":"wide","json":[${emptyObjects(bytes - 40)}]}}`,
  'an article with a text': (bytes: number) =>
    `{"data":{"title":"long","body":"${'x'.repeat(bytes - 40)}"}}`,
  'a login': (bytes: number) =>
    `{"identifier":"ada@example.org","password":"secret","objects":[${emptyObjects(bytes - 65)}]}`,
  /** For 16 MB, this body has 1.2 million keys. */
  'a bulk with unknown keys': (bytes: number) => {
    const keys = Array.from({ length: bytes / 14 - 5 }, (_, index) => `"k${index}":0`)
    return `{"operations":[{"op":"create","data":{${keys.join(',')}}}]}`
  },
}

const zeros = (bytes: number): string => '0,'.repeat((bytes - 1) / 2) + '0'
/** Empty objects take more time to parse than any other flat JSON. */
const emptyObjects = (bytes: number): string => '{},'.repeat((bytes - 2) / 3) + '{}'

const made = new Map<string, Buffer>()

export function bodyOf({ form, bytes, gzip }: Body): Buffer {
  const key = JSON.stringify([form, bytes, gzip])
  const known = made.get(key)
  if (known !== undefined) return known
  const text = Buffer.from(forms[form](bytes))
  const body = gzip === true ? gzipSync(text, { level: 9 }) : text
  made.set(key, body)
  return body
}

/** Returns the headers that a call needs for its body and its token. */
export function headersOf({
  body,
  token,
}: Readonly<{ body?: Body; token?: string }>): Readonly<Record<string, string>> {
  return {
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(bodyOf(body).length) }),
    ...(body?.gzip === true ? { 'Content-Encoding': 'gzip' } : {}),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }
}
