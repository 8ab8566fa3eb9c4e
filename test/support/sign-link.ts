import { signedQuery } from '../../engine/values/link-signature.js'

/** Returns the query string (without `?`) of a signed link to a file. */
export const signLink = (
  key: string,
  name: string,
  parameters: Readonly<Record<string, string>>,
): string => signedQuery(key, name, new URLSearchParams(parameters))
