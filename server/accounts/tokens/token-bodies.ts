import { array, mixed, number, object, string } from 'yup'
import type { TokenKind } from './api-tokens.js'

export const tokenKinds = [
  'full-access',
  'read-only',
  'custom',
] as const satisfies readonly TokenKind[]
const name = string().min(1).max(255)
const description = string().max(1000).nullable()
const type = mixed<TokenKind>().oneOf(tokenKinds)
const permissions = array(string().max(255).required()).max(10_000).nullable()
const tenYearsMs = 315_360_000_000

/** Body of a create request. */
export const newBody = object({
  name: name.required(),
  description,
  type: type.required(),
  permissions,
  lifespan: number().integer().min(1).max(tenYearsMs).nullable(),
})

/** Body of an update request. */
export const changeBody = object({ name, description, type, permissions })
