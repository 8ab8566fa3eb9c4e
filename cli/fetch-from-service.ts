/** Whether a text is the address of a service. `localhost:1337` is not one: it has no scheme. */
export const isAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

/**
 * Sends a request to a service.
 * @throws Error that says where no service answers, why, and what to do
 */
export async function fetchFromService(url: string, init: RequestInit): Promise<Response> {
  if (!isAddress(url)) throw new Error(`${url} is no address such as http://localhost:1337`)
  try {
    return await fetch(url, init)
  } catch (error) {
    const { cause } = error as Readonly<{ cause?: NodeJS.ErrnoException }>
    // Nothing was sent. The message is not shown, because it quotes the token or the password of the address.
    if (cause === undefined)
      throw new Error(
        'No request can be made: the address has a user and a password, or the token has characters that no token has',
        { cause: error },
      )
    // `fetch failed` has the error of the connection as its cause; that of several addresses has a code alone.
    const reason = cause.message || cause.code || String(error)
    throw new Error(
      `No service answers at ${new URL(url).origin}: ${reason}. Start it, or give the address of one that runs.`,
      { cause: error },
    )
  }
}
