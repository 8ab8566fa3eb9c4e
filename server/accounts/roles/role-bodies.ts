import { mixed, object, string } from 'yup'

/** Body of a create request. */
export const newBody = object({ name: string().min(3).max(255).required() })

/** Body of an update request. */
export const changeBody = object({
  name: string().min(3).max(255),
  description: string().max(1000).nullable(),
  permissions: mixed<NonNullable<unknown>>(),
})
