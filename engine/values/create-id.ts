import { customAlphabet } from 'nanoid'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const letter = customAlphabet(letters, 1)
const others = customAlphabet(`0123456789${letters}`, 23)

/**
 * Creates a unique id: 24 characters, a letter and then `[a-z0-9]`, 123 random bits. As a documentId it looks like
 * Strapi's (docs/internals/storage.md, "An entry version"). Strapi's library is not used, because it takes longer for one id than
 * the validation of a whole body.
 */
export const createId = (): string => letter() + others()
