import { customAlphabet } from 'nanoid'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const letter = customAlphabet(letters, 1)
const others = customAlphabet(`0123456789${letters}`, 23)

/**
 * An id that nobody else has: 24 characters, a letter and then `[a-z0-9]`, 123 bits by chance. As a documentId it looks
 * like one of Strapi's (docs/storage.md, "An entry version"), whose library takes longer for it than all the rules of a
 * body do.
 */
export const createId = (): string => letter() + others()
