/** Whether a string is an absolute `http` or `https` URL. `localhost:1337` is not: it has no scheme. */
export const isAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

/** Sends a request to a service. Throws an error with the address, the reason and a remedy if no service responds. */
export async function fetchFromService(url: string, init: RequestInit): Promise<Response> {
  if (!isAddress(url)) throw new Error(`${url} is not an address such as http://localhost:1337`)
  try {
    return await fetch(url, init)
  } catch (error) {
    const { cause } = error as Readonly<{ cause?: NodeJS.ErrnoException }>
    // If the error has no cause, the request was invalid. Hide the error's message, because it contains the token or
    // the password.
    if (cause === undefined)
      throw new Error(
        'The request is invalid: the address contains a user and a password, or the token contains invalid characters',
        { cause: error },
      )
    // The error's message is only `fetch failed`. The message of its cause is the reason. If several addresses failed,
    // that message is empty, but the cause has a code.
    const reason = cause.message || cause.code || String(error)
    throw new Error(
      `No service responds at ${new URL(url).origin}: ${reason}. Start it, or use the address of a running service.`,
      { cause: error },
    )
  }
}
