/** Whether what listens on the port says that it lives, as Quire does. */
export async function isQuire(port: number): Promise<boolean> {
  const late = new AbortController()
  // Not `AbortSignal.timeout`, which does not keep this process: nor does a request whose connection was closed.
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
