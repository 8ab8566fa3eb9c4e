import { customAlphabet } from 'nanoid'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const letter = customAlphabet(letters, 1)
const others = customAlphabet(`0123456789${letters}`, 23)

/**
 * Creates a unique id of 24 characters: a letter followed by `[a-z0-9]`, which makes 123 random bits. As a documentId
 * it looks like Strapi's (docs/internals/storage.md, "An entry version"). Strapi's library is not used, because
 * creating one id with it takes longer than validating a whole body.
 */
export const createId = (): string => letter() + others()
