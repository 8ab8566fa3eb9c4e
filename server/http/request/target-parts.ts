/** Returns the query string of a request target exactly as it was sent, without `?`. */
export function searchOf(originalUrl: string): string {
  const mark = originalUrl.indexOf('?')
  return mark < 0 ? '' : originalUrl.slice(mark + 1)
}

/** Returns the path exactly as it was sent, without the query string, which may contain secrets. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
