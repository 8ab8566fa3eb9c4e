import type { Response } from 'express'
import type { HeaderTexts } from '../route.js'

/** Sets headers of a response; extends an existing `Vary` header. */
export function setHeaders(response: Response, headers: HeaderTexts): void {
  for (const [name, value] of Object.entries(headers)) {
    // The CORS middleware may already have set `Vary`.
    if (name.toLowerCase() === 'vary') response.vary(value)
    else response.setHeader(name, value)
  }
}
