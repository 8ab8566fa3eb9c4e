import { mixed, object, string } from 'yup'

/** A new role. */
export const newBody = object({ name: string().min(3).max(255).required() })

/** Changes of a role. */
export const changeBody = object({
  name: string().min(3).max(255),
  description: string().max(1000).nullable(),
  permissions: mixed<NonNullable<unknown>>(),
})
