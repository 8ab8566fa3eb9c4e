/** Formats a path as a word for a shell: `'My Site'`, or `"My Site"` on Windows, where paths cannot contain `"`. */
export function shellWord(path: string, platform = process.platform): string {
  if (platform === 'win32') return /^[\w.\\/:@+-]+$/.test(path) ? path : `"${path}"`
  return /^[\w./:@+,=%-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Formats a value for a `.env` file with a kind of quotes that it does not contain, because quotes cannot be escaped.
 * Throws if it contains all kinds.
 */
export function envValue(name: string, value: string): string {
  if (/^[\w./:@+-]*$/.test(value)) return value
  // Inside `"`, `\n` means a line break, and Docker replaces variables that begin with `$`.
  const isLiteral = (quote: string): boolean =>
    !value.includes(quote) && !(quote === '"' && /[\\$]/.test(value))
  const quote = ["'", '"', '`'].find(isLiteral)
  if (quote === undefined)
    throw new Error(
      `${name} cannot be written into .env, because no kind of quotes can enclose its value: it contains ' and \`, and also ", \\ or $`,
    )
  return `${quote}${value}${quote}`
}
