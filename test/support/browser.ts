import type { Answer } from './request.js'
import type { TestApp } from './test-app.js'

export type Browser = Readonly<{
  /**
   * Requests a URL without following redirects. If the URL begins with the public URL of the service, the service gets
   * the request.
   */
  visit: (address: string) => Promise<Visited>
  /** Requests a URL, and follows redirects as long as they lead to the service or the provider. */
  follow: (address: string) => Promise<Visited>
  cookies: Map<string, string>
}>

export type Visited = Readonly<{ answer: Answer; location: URL }>

/** Opens a minimal browser for logins. It keeps the cookies of the service. */
export function openBrowser(
  app: Pick<TestApp, 'request'>,
  { publicUrl, providerUrl }: Readonly<{ publicUrl: string; providerUrl: string }>,
): Browser {
  const cookies = new Map<string, string>()
  const visit: Browser['visit'] = async (address) => {
    if (!address.startsWith(publicUrl)) {
      const response = await fetch(address, { redirect: 'manual' })
      const text = await response.text()
      const { status, headers } = response
      return withLocation({ status, headers, text, body: undefined })
    }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const path = address.slice(publicUrl.length)
    const answer = await app.request('GET', path, cookie === '' ? {} : { headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return withLocation(answer)
  }
  const follow: Browser['follow'] = async (address) => {
    const visited = await visit(address)
    const { href } = visited.location
    const goesOn = href.startsWith(publicUrl) || href.startsWith(providerUrl)
    return goesOn ? follow(href) : visited
  }
  return { visit, follow, cookies }
}

const withLocation = (answer: Answer): Visited => ({
  answer,
  location: new URL(answer.headers.get('location') ?? 'about:blank'),
})
