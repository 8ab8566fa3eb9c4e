/** What may stand before the root element: prolog, processing instructions, comments. */
const preamble = /^(?:<\?[^>]*>|<!--[\s\S]*?-->)\s*/
const doctype = /^<!doctype\s+([\w.:-]+)/i
const rootElement = /^<(?:[a-z_][\w.-]*:)?([a-z][\w-]*)[\s/>]/i

/** Elements that make a browser take text for HTML, when it begins with one. */
const htmlElements = new Set(
  'html head body script iframe h1 div font table a style title b br p'.split(' '),
)

/**
 * The type of text that is markup, by what it begins with, as browsers that sniff would see it;
 * undefined for other text. Doubt falls on the side of what a browser could run.
 */
export function markupType(text: string): string | undefined {
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
  // A comment that outgrows what was read hides what follows it.
  if (isMarkup || (name !== undefined && htmlElements.has(name))) return 'text/html'
  return /^<!doctype\b/i.test(rest) ? 'application/xml' : undefined
}
