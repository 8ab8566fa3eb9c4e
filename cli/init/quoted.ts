/** A path as a word of a shell: `'My Site'`. */
export const shellWord = (path: string): string =>
  /^[\w./:@+,=%-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`

/**
 * A value as a file `.env` holds it. Nothing in such a file escapes a quote, so the kind of quote has to be one that the
 * value lacks.
 * @throws Error if it has all kinds
 */
export function envValue(name: string, value: string): string {
  if (/^[\w./:@+-]*$/.test(value)) return value
  // Between `"`, `\n` is a line break, and `$` names a variable for Docker.
  const isLiteral = (quote: string): boolean =>
    !value.includes(quote) && !(quote === '"' && /[\\$]/.test(value))
  const quote = ["'", '"', '`'].find(isLiteral)
  if (quote === undefined)
    throw new Error(`${name} cannot be written into .env: its value has every kind of quote`)
  return `${quote}${value}${quote}`
}
