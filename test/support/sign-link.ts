import { signedQuery } from '../../engine/values/link-signature.js'

/** The query string, without `?`, of a link to the file `name` with these parameters and their signature. */
export const signLink = (
  key: string,
  name: string,
  parameters: Readonly<Record<string, string>>,
): string => signedQuery(key, name, new URLSearchParams(parameters))
