/** Whether the process on a port responds to the health check as Quire does. */
export async function isQuire(port: number): Promise<boolean> {
  const late = new AbortController()
  // Do not use `AbortSignal.timeout`. Its timer does not keep this process alive, and neither does a request whose
  // connection was closed. So the process could exit before the result is known.
  const timer = setTimeout(() => late.abort(), 2_000)
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/_health`, { signal: late.signal })
    return status === 204
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
