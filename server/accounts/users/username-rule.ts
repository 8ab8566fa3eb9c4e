import { string } from 'yup'

/** Control characters, what is not drawn at all, line ends, and spaces that look like another space or like none. */
const unseenCharacters = /[\p{Cc}\p{DI}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.source
const unseen = new RegExp(`${unseenCharacters}|^ | $| {2}`, 'u')

/** What a username in a body must be, so that no two of them differ in what nobody sees. */
export const usernameRule = string()
  .min(3)
  .max(255)
  .test(
    'visible',
    'username must not hold characters that cannot be seen, or begin or end with a space',
    (value) => value === undefined || !unseen.test(value),
  )

/** A username as it is stored: a letter and its accent may be written as one character or as two. */
export const normalUsername = (username: string): string => username.normalize('NFC')

/** A text without what a username must not hold. */
export const visibleUsername = (text: string): string =>
  text.replaceAll(new RegExp(unseenCharacters, 'gu'), ' ').replaceAll(/ {2,}/g, ' ').trim()
