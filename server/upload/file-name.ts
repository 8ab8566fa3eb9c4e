import { randomBytes } from 'node:crypto'
import path from 'node:path'
import mime from 'mime-types'

const maxSlugLength = 80
/**
 * Form of stored names. Names that were imported from Strapi may contain capitals; names that Quire creates never do.
 */
const storedName = /^[A-Za-z0-9_-]{1,128}\.[A-Za-z0-9]{1,16}$/

/**
 * Replacements for characters: letters without a base letter (`ß`), letters whose base letter would be wrong (`ä`), and
 * `&`, which is read as a word.
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
 * Creates the `hash` of a new file: a readable slug of the client's file name, and ten random hexadecimal digits.
 * `weird näme & co (1).PNG` becomes `weird_naeme_and_co_1_3f9a0c51de`.
 */
export function makeHash(fileName: string): string {
  return withDigits(slug(path.parse(fileName).name))
}

/** Creates the `hash` for new content of an existing file. Keeps the slug and replaces the digits. */
export function renewHash(hash: string): string {
  return withDigits(hash.replace(/_[0-9a-f]{10}$/, ''))
}

const withDigits = (readable: string): string => `${readable}_${randomBytes(5).toString('hex')}`

/**
 * Returns the extension under which content of a type is stored. Files are served by their extension, so it must match
 * the content. The client's extension is kept if it stands for that type, or if both the extension and the type are
 * unknown. Otherwise, the type's usual extension is used.
 */
export function extensionFor(fileName: string, type: string, usual: string): string {
  const given = path.extname(fileName)
  if (!/^\.[a-z0-9]{1,16}$/i.test(given)) return usual
  const known = mime.lookup(given)
  if (known === type) return given
  return known === false && type === 'application/octet-stream' ? given : usual
}

/**
 * Whether a name looks like one that Quire created for a file, version or variant: it ends in the digits of `makeHash`.
 */
export function isGivenName(name: string): boolean {
  return isStoredName(name) && /_[0-9a-f]{10}\.[^.]+$/.test(name)
}

/** Whether a text has the form of names that Quire creates or imports. Such a name is safe as a file name. */
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
