import { string } from 'yup'

const maxBytes = 72

/** What a password in a body must be: 6 characters at least, 72 bytes at most, as in Strapi. */
export const passwordRule = string()
  .min(6)
  .test(
    'bytes',
    'Password must be less than 73 bytes',
    (value) => value === undefined || isShortEnough(value),
  )

/** Of an admin: 8 characters at least, of them a lower-case and an upper-case letter and a digit, as in Strapi. */
export const adminPasswordRule = passwordRule
  .min(8)
  .matches(/[a-z]/, 'password must contain at least one lowercase character')
  .matches(/[A-Z]/, 'password must contain at least one uppercase character')
  .matches(/\d/, 'password must contain at least one number')

/** Longer texts are nobody's password, and are not hashed. */
export const isShortEnough = (password: string): boolean => Buffer.byteLength(password) <= maxBytes
