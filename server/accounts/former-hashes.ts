import { steadyNow } from '../../engine/steady-now.js'

/** Of a Strapi: bcrypt, of costs that an answer can wait for. */
const form = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/**
 * Whether a stored hash was brought along from elsewhere: the next login of its user replaces it
 * (docs/decisions.md, "Hashes of a Strapi").
 */
export const isFormerHash = (stored: string): boolean => form.test(stored)

/** Of what costs as much as Strapi's, and of no password. */
const dummyHash = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXa'
const dummyMs = 60 * 60_000
let metAt = -Infinity

/**
 * Whether a password is the one of a former hash. Where one was met within the last hour, it takes as long without one,
 * so that the time of an answer does not tell who has a hash of which kind.
 * @param stored undefined where there is none
 */
export async function verifyFormer(stored: string | undefined, password: string): Promise<boolean> {
  if (stored !== undefined) metAt = steadyNow()
  else if (steadyNow() - metAt > dummyMs) return false
  const { verify } = await import('../../engine/write/rules/hashes-in-wasm.js')
  const matches = await verify(stored ?? dummyHash, stored === undefined ? '-' : password)
  return stored !== undefined && matches
}
