import { randomBytes } from 'node:crypto'
import path from 'node:path'
import mime from 'mime-types'

const maxSlugLength = 80
/** Names imported from Strapi may contain capitals; those of Quire do not. */
const storedName = /^[A-Za-z0-9_-]{1,128}\.[A-Za-z0-9]{1,16}$/

/**
 * Replacements for letters without a base letter (`ß`) or with a wrong one (`ä`), and for `&`, which is read as a word.
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
 * Creates the `hash` of a new file, with ten random hexadecimal digits: `weird näme & co (1).PNG` becomes
 * `weird_naeme_and_co_1_3f9a0c51de`.
 */
export function makeHash(fileName: string): string {
  return withDigits(slug(path.parse(fileName).name))
}

/** Creates the `hash` of new content: keeps the slug and replaces the digits. */
export function renewHash(hash: string): string {
  return withDigits(hash.replace(/_[0-9a-f]{10}$/, ''))
}

const withDigits = (readable: string): string => `${readable}_${randomBytes(5).toString('hex')}`

/**
 * Returns the extension under which to store a file, which determines the type that it is served with. Keeps the
 * client's extension if it stands for the detected type, or if both are unknown.
 */
export function extensionFor(fileName: string, type: string, usual: string): string {
  const given = path.extname(fileName)
  if (!/^\.[a-z0-9]{1,16}$/i.test(given)) return usual
  const known = mime.lookup(given)
  if (known === type) return given
  return known === false && type === 'application/octet-stream' ? given : usual
}

/**
 * Whether a name ends in digits like those that `makeHash` adds. All names that Quire gives to files, versions and
 * variants do.
 */
export function isGivenName(name: string): boolean {
  return isStoredName(name) && /_[0-9a-f]{10}\.[^.]+$/.test(name)
}

/** Whether a string looks like a name that Quire created or imported. Such names are safe as file names. */
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
