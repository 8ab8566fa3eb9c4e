import { string } from 'yup'

const maxBytes = 72

/** Passwords in bodies: at least 6 characters, at most 72 bytes, as in Strapi. */
export const passwordRule = string()
  .min(6)
  .test(
    'bytes',
    'Password must be less than 73 bytes',
    (value) => value === undefined || isShortEnough(value),
  )

/** Passwords of admins: 8 characters with a lower-case letter, an upper-case letter and a digit, as in Strapi. */
export const adminPasswordRule = passwordRule
  .min(8)
  .matches(/[a-z]/, 'password must contain at least one lowercase character')
  .matches(/[A-Z]/, 'password must contain at least one uppercase character')
  .matches(/\d/, 'password must contain at least one number')

/** Returns whether a string is short enough to be hashed as a password. */
export const isShortEnough = (password: string): boolean => Buffer.byteLength(password) <= maxBytes
