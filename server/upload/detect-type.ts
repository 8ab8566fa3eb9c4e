import { fileTypeFromBuffer, fileTypeFromFile, type FileTypeResult } from 'file-type'
import mime from 'mime-types'
import path from 'node:path'
import { readStart } from './providers/on-disk.js'

const sniffedBytes = 4096
const binary = 'application/octet-stream'

/** A MIME type and its usual extension, with the dot. */
export type DetectedType = Readonly<{ mime: string; extension: string }>

/**
 * Detects the type by content (docs/internals/decisions.md, "Uploaded files"). The name matters only for plain text
 * (`.csv`, `.md`) and for scripts (`.js`, `.sh`), which programs run by name.
 */
export async function detectType(filePath: string, fileName: string): Promise<DetectedType> {
  return typeOf(await readStart(filePath, sniffedBytes), fileName, () => fileTypeFromFile(filePath))
}

/** Like `detectType`, but from the first 64 KB of a file. Not for a file that `beginsLikeTiff`. */
export async function detectStart(start: Uint8Array, fileName: string): Promise<DetectedType> {
  return typeOf(start.subarray(0, sniffedBytes), fileName, () => fileTypeFromBuffer(start))
}

/** Whether a file begins like a TIFF. Only the whole file shows whether it is a picture or a camera's raw format. */
export const beginsLikeTiff = (start: Uint8Array): boolean =>
  ['49492a00', '4d4d002a', '49492b00', '4d4d002b'].includes(
    Buffer.from(start.subarray(0, 4)).toString('hex'),
  )

async function typeOf(
  start: Uint8Array,
  fileName: string,
  find: () => Promise<FileTypeResult | undefined>,
): Promise<DetectedType> {
  const text = decodeText(start)
  // `file-type` mistakes UTF-16 for an MPEG frame, and its `application/xml` is not specific enough.
  if (text === undefined || encodingOf(start) === 'utf-8') {
    const known = await find()
    if (known !== undefined && known.mime !== 'application/xml') {
      return { mime: known.mime, extension: `.${known.ext}` }
    }
  }
  const byName = typeByExtension.get(path.extname(fileName).slice(1).toLowerCase())
  // With a Windows encoding or control characters, a script may not look like text, so its extension decides.
  if (text === undefined) return describe(byName ?? binary)
  const byContent = scriptTypeOfText(text) ?? markupType(text)
  return describe(byContent ?? byName ?? plainTextType(fileName))
}

function plainTextType(fileName: string): string {
  const claimed = mime.lookup(fileName)
  if (claimed === false || runnable.test(claimed)) return 'text/plain'
  return mime.charset(claimed) === 'UTF-8' ? claimed : 'text/plain'
}

const runnable = /html|xml|svg|script/i

const describe = (type: string): DetectedType => ({
  mime: type,
  extension: `.${mime.extension(type) || 'bin'}`,
})

/** Decodes bytes to text; returns undefined if they are not text. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // With `stream`, a character may be cut off at the end.
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes, { stream: true })
    return controls.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
}

/** Control characters that text files lack: all but tab, line ends and form feed. */
const controls = /(?![\t\n\r\f])\p{Cc}/u

/** Markup that may precede the root element: prolog, processing instructions, comments. */
const preamble = /^(?:<\?[^>]*>|<!--[\s\S]*?-->)\s*/
const doctype = /^<!doctype\s+([\w.:-]+)/i
const rootElement = /^<(?:[a-z_][\w.-]*:)?([a-z][\w-]*)[\s/>]/i

/** A text that begins with one of these elements is an HTML page or fragment. */
const htmlElements = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body ' +
    'br button canvas caption center cite code col colgroup datalist dd del details dfn dialog dir div dl dt em embed ' +
    'fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ' +
    'img input ins isindex kbd keygen label legend li link main map mark marquee math menu meta meter nav nobr ' +
    'noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre progress q rp rt ' +
    'ruby s samp script search section select slot small source span strike strong style sub summary sup table tbody ' +
    'td template textarea tfoot th thead title tr track tt u ul var video wbr xmp'
  ).split(' '),
)
/** An element of any name with an event handler: `<x-y onclick=…>`. */
const tagWithHandler = /^<[a-z][^<>]*[\s/"']on[a-z]+\s*=/i

/**
 * Returns the type of markup, as browsers sniff it; undefined for other text. In doubt, a type that a browser could
 * run.
 */
function markupType(text: string): string | undefined {
  let rest = text.replace(/^\uFEFF/, '').trimStart()
  const isXml = rest.startsWith('<?xml')
  const isMarkup = isXml || rest.startsWith('<!--')
  for (let match = preamble.exec(rest); match !== null; match = preamble.exec(rest)) {
    rest = rest.slice(match[0].length)
  }
  const name = (doctype.exec(rest)?.[1] ?? rootElement.exec(rest)?.[1])?.toLowerCase()
  if (name === 'svg' || name?.endsWith(':svg') === true) return 'image/svg+xml'
  if (name === 'html') return isXml ? 'application/xhtml+xml' : 'text/html'
  if (isXml) return 'application/xml'
  // Markup after a comment longer than the sniffed bytes is unknown, so assume HTML.
  if (isMarkup || (name !== undefined && htmlElements.has(name))) return 'text/html'
  if (tagWithHandler.test(rest)) return 'text/html'
  return /^<!doctype\b/i.test(rest) ? 'application/xml' : undefined
}

/** Returns the type of a text that begins with `#!/bin/sh` or `<?php`. */
function scriptTypeOfText(text: string): string | undefined {
  const start = text.replace(/^\uFEFF/, '')
  if (/^\s*<\?(?:php\b|=)/i.test(start)) return php
  return start.startsWith('#!') ? shell : undefined
}

const php = 'application/x-httpd-php'
const shell = 'application/x-sh'

/**
 * Types that a browser or an interpreter runs, by extension. The extension decides if the content does not reveal the
 * type, so that `upload.deniedTypes` applies (docs/internals/decisions.md, "Uploaded files").
 */
const typeByExtension: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/html': 'html htm shtml hta',
    'application/xhtml+xml': 'xhtml xht',
    'image/svg+xml': 'svg',
    'text/javascript': 'js mjs cjs jse jsx',
    [shell]: 'sh bash zsh csh ksh fish command',
    [php]: 'php php3 php4 php5 php7 php8 phtml phar',
    'application/x-bat': 'bat cmd',
    'application/x-powershell': 'ps1 psm1 psd1',
    'text/vbscript': 'vbs vbe wsf',
    'application/x-perl': 'pl pm cgi',
    'text/x-python': 'py pyw',
    'application/x-ruby': 'rb',
  }).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type] as const),
  ),
)
