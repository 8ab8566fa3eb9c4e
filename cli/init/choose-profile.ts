import { ask, hasTerminal } from '../ask.js'

export type Profile = 'strict' | 'strapi'

const meanings: Readonly<Record<Profile, string>> = {
  strict: 'refuses what it does not understand, and shows drafts to nobody unasked',
  strapi: 'answers as a Strapi without its strict flags does',
}

/** Asks which profile a project has; without a terminal it is `strict`, which it says. */
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
