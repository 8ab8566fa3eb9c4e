/** What may stand before the root element: prolog, processing instructions, comments. */
const preamble = /^(?:<\?[^>]*>|<!--[\s\S]*?-->)\s*/
const doctype = /^<!doctype\s+([\w.:-]+)/i
const rootElement = /^<(?:[a-z_][\w.-]*:)?([a-z][\w-]*)[\s/>]/i

/** Text that begins with one of these is HTML, whether all of a page or a piece of one. */
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
/** A tag of any name with something to run in it: `<x-y onclick=…>`. */
const tagWithHandler = /^<[a-z][^<>]*[\s/"']on[a-z]+\s*=/i

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
  if (tagWithHandler.test(rest)) return 'text/html'
  return /^<!doctype\b/i.test(rest) ? 'application/xml' : undefined
}
