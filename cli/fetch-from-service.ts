/** Whether a text is the address of a service. `localhost:1337` is not, because it has no scheme. */
export const isAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

/**
 * Sends a request to a service.
 * @throws Error that says where no service responds, why, and what to do
 */
export async function fetchFromService(url: string, init: RequestInit): Promise<Response> {
  if (!isAddress(url)) throw new Error(`${url} is no address such as http://localhost:1337`)
  try {
    return await fetch(url, init)
  } catch (error) {
    const { cause } = error as Readonly<{ cause?: NodeJS.ErrnoException }>
    // Nothing was sent. The original message is not shown, because it contains the token or the password of the
    // address.
    if (cause === undefined)
      throw new Error(
        'No request can be made: the address has a user and a password, or the token has characters that no token has',
        { cause: error },
      )
    // `fetch failed` has the connection error as its cause. If several addresses failed, the cause only has a code.
    const reason = cause.message || cause.code || String(error)
    throw new Error(
      `No service answers at ${new URL(url).origin}: ${reason}. Start it, or give the address of one that runs.`,
      { cause: error },
    )
  }
}
