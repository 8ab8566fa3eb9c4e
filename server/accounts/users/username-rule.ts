import { string } from 'yup'

/** Control and invisible characters, line separators, and spaces other than U+0020. */
const unseenCharacters = /[\p{Cc}\p{DI}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.source
const invisible = new RegExp(`${unseenCharacters}|^ | $| {2}`, 'u')

/** Prevents usernames that differ only in invisible characters. */
export const usernameRule = string()
  .min(3)
  .max(255)
  .test(
    'visible',
    'username must not contain invisible characters, or begin or end with a space',
    (value) => value === undefined || !invisible.test(value),
  )

/** Returns the stored form, in which accented letters have only one encoding. */
export const normalUsername = (username: string): string => username.normalize('NFC')

/** Replaces forbidden characters by spaces, then removes superfluous spaces. */
export const visibleUsername = (text: string): string =>
  text.replaceAll(new RegExp(unseenCharacters, 'gu'), ' ').replaceAll(/ {2,}/g, ' ').trim()
