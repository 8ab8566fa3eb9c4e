/** The query string of what a client asked for, as it was sent, without `?`. */
export function searchOf(originalUrl: string): string {
  const mark = originalUrl.indexOf('?')
  return mark < 0 ? '' : originalUrl.slice(mark + 1)
}

/** The path of what a client asked for, as it was sent: everything before the query string, which may hold secrets. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
