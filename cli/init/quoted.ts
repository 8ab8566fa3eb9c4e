/** A path as a word of a shell: `'My Site'`, or `"My Site"` for the shells of Windows, where no path has a `"`. */
export function shellWord(path: string, platform = process.platform): string {
  if (platform === 'win32') return /^[\w.\\/:@+-]+$/.test(path) ? path : `"${path}"`
  return /^[\w./:@+,=%-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * A value as a file `.env` holds it. Such a file cannot escape a quote, so the value gets quotes of a kind that it does
 * not contain.
 * @throws Error if there is none
 */
export function envValue(name: string, value: string): string {
  if (/^[\w./:@+-]*$/.test(value)) return value
  // Between `"`, `\n` is a line break, and `$` names a variable for Docker.
  const isLiteral = (quote: string): boolean =>
    !value.includes(quote) && !(quote === '"' && /[\\$]/.test(value))
  const quote = ["'", '"', '`'].find(isLiteral)
  if (quote === undefined)
    throw new Error(`${name} cannot be written into .env: no kind of quote can hold its value`)
  return `${quote}${value}${quote}`
}
