import { mixed, object, string } from 'yup'

/** Body that creates a role. */
export const newBody = object({ name: string().min(3).max(255).required() })

/** Body that changes a role. */
export const changeBody = object({
  name: string().min(3).max(255),
  description: string().max(1000).nullable(),
  permissions: mixed<NonNullable<unknown>>(),
})
