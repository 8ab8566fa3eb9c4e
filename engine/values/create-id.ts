import { customAlphabet } from 'nanoid'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const letter = customAlphabet(letters, 1)
const others = customAlphabet(`0123456789${letters}`, 23)

/**
 * Creates a unique id of a letter and 23 characters of `[a-z0-9]` (123 random bits), like Strapi's documentIds
 * (docs/internals/storage.md, "An entry version"). With Strapi's library, one id would take longer than validating a
 * body.
 */
export const createId = (): string => letter() + others()
