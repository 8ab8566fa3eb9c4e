/** The query string of what a client asked for, as it was sent, without `?`. */
export function searchOf(originalUrl: string): string {
  const mark = originalUrl.indexOf('?')
  return mark < 0 ? '' : originalUrl.slice(mark + 1)
}
