import type { Response } from 'express'
import type { HeaderTexts } from './route.js'

/** Sets headers of an answer beside those that it has. */
export function setHeaders(response: Response, headers: HeaderTexts): void {
  for (const [name, value] of Object.entries(headers)) {
    // CORS has its own word in `Vary`.
    if (name.toLowerCase() === 'vary') response.vary(value)
    else response.setHeader(name, value)
  }
}
