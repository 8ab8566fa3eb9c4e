/**
 * Sends a request to a service.
 * @throws Error that says where no service answers, why, and what to do
 */
export async function fetchFromService(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    // `fetch failed` has the error of the connection as its cause; that of several addresses has a code alone.
    const { cause } = error as Readonly<{ cause?: NodeJS.ErrnoException }>
    const reason = cause?.message || cause?.code || String(error)
    throw new Error(
      `No service answers at ${new URL(url).origin}: ${reason}. Start it, or give the address of one that runs.`,
      { cause: error },
    )
  }
}
