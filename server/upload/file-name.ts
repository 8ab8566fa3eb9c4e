import { randomBytes } from 'node:crypto'
import path from 'node:path'
import mime from 'mime-types'

const maxSlugLength = 80
/** Those that came from a Strapi have capitals too, which are not made here. */
const storedName = /^[A-Za-z0-9_-]{1,128}\.[A-Za-z0-9]{1,16}$/

/** Letters that do not come apart into a base letter and marks, and signs that are read as words. */
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
 * The `hash` of a new file: a readable slug of the client's name and ten random hexadecimal digits,
 * `weird näme & co (1).PNG` → `weird_naeme_and_co_1_3f9a0c51de`.
 */
export function makeHash(fileName: string): string {
  return withDigits(slug(path.parse(fileName).name))
}

/** The `hash` of other content for a file: as readable as it was, with other digits. */
export function renewHash(hash: string): string {
  return withDigits(hash.replace(/_[0-9a-f]{10}$/, ''))
}

const withDigits = (readable: string): string => `${readable}_${randomBytes(5).toString('hex')}`

/**
 * The extension under which content of a type is stored: the client's where it stands for that type or
 * for none that is known, else the usual one. So what is served by its extension is served as what it is.
 */
export function extensionFor(fileName: string, type: string, usual: string): string {
  const given = path.extname(fileName)
  if (!/^\.[a-z0-9]{1,16}$/i.test(given)) return usual
  const known = mime.lookup(given)
  if (known === type) return given
  return known === false && type === 'application/octet-stream' ? given : usual
}

/** Whether a file, a version or a variant may have got this name here: it ends in the digits of `makeHash`. */
export function isGivenName(name: string): boolean {
  return isStoredName(name) && /_[0-9a-f]{10}\.[^.]+$/.test(name)
}

/** Whether a text is a name that this module could have made, or an import has taken: safe as a name in a directory. */
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
