import { ask, hasTerminal } from '../ask.js'

export type Profile = 'strict' | 'strapi'

const meanings: Readonly<Record<Profile, string>> = {
  strict: 'refuses unknown parameters, and keeps drafts private',
  strapi: 'responds like a Strapi without its strict flags',
}

/** Asks for the profile of a project. Without a terminal it chooses `strict` and says so. */
export async function chooseProfile(): Promise<Profile> {
  if (!hasTerminal()) {
    console.log(`Profile: strict, which ${meanings.strict}. --profile strapi ${meanings.strapi}.`)
    return 'strict'
  }
  for (const [name, meaning] of Object.entries(meanings)) console.error(`  ${name}  ${meaning}`)
  for (;;) {
    const answer = (await ask('Which profile? [strict] ')).toLowerCase()
    if (answer === '' || answer === 'strict') return 'strict'
    if (answer === 'strapi') return 'strapi'
  }
}
