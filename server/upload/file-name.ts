import { randomBytes } from 'node:crypto'
import path from 'node:path'
import mime from 'mime-types'

const maxSlugLength = 80
/** Capitals occur in names imported from Strapi; Quire creates none. */
const storedName = /^[A-Za-z0-9_-]{1,128}\.[A-Za-z0-9]{1,16}$/

/**
 * Transliterations of letters whose base letter is wrong (`ä`) or missing (`ß`), and of a sign that is read as a word.
 */
const spelledOut: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  '&': ' and ',
}

/**
 * Creates the `hash` of a new file: a readable slug of the client's name and ten random hexadecimal digits, `weird näme
 * & co (1).PNG` → `weird_naeme_and_co_1_3f9a0c51de`.
 */
export function makeHash(fileName: string): string {
  return withDigits(slug(path.parse(fileName).name))
}

/** Creates the `hash` of a file's new content: the same slug with new digits. */
export function renewHash(hash: string): string {
  return withDigits(hash.replace(/_[0-9a-f]{10}$/, ''))
}

const withDigits = (readable: string): string => `${readable}_${randomBytes(5).toString('hex')}`

/**
 * Returns the extension under which content of a type is stored. The client's extension is kept if it means that type,
 * or if neither is known; otherwise the usual extension is used. Files are served by their extension, so it must match
 * the content.
 */
export function extensionFor(fileName: string, type: string, usual: string): string {
  const given = path.extname(fileName)
  if (!/^\.[a-z0-9]{1,16}$/i.test(given)) return usual
  const known = mime.lookup(given)
  if (known === type) return given
  return known === false && type === 'application/octet-stream' ? given : usual
}

/**
 * Whether a name has the form of a file, version or variant that Quire created: it ends in the digits of `makeHash`.
 */
export function isGivenName(name: string): boolean {
  return isStoredName(name) && /_[0-9a-f]{10}\.[^.]+$/.test(name)
}

/** Whether a text is a name that Quire creates or imports: safe as a file name. */
export function isStoredName(name: string): boolean {
  return storedName.test(name)
}

function slug(text: string): string {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, (sign) => spelledOut[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, maxSlugLength)
    .replace(/^_+|_+$/g, '')
  return plain === '' ? 'file' : plain
}
