import type { Answers, Expectation } from './compare.js'
import { dataPath, loadAnswers, loadDeviations } from './data.js'
import { isSame } from './diff.js'
import type { Profile } from './options.js'

/** Returns the expected answers of a profile, and the deviations that it allows. */
export function loadExpectation(profile: Profile): Expectation {
  const strict = loadAnswers(dataPath('strapi-sqlite.jsonl'))
  const onPostgres = loadAnswers(dataPath('strapi-postgres.jsonl'))
  const common = [
    ...loadDeviations('decided-deviations.json'),
    ...loadDeviations('deviations.json'),
    ...loadDeviations(`${profile}-deviations.json`),
  ]
  if (profile === 'strict')
    return {
      answers: strict,
      alternatives: onPostgres,
      deviations: common,
      generatesUids: true,
    }
  const classic = loadAnswers(dataPath('strapi-classic.jsonl'))
  return {
    answers: classic,
    alternatives: among(onPostgres, strict, classic),
    deviations: common,
    generatesUids: false,
  }
}

/** Returns the answers of Strapi on Postgres to cases whose answers do not depend on Strapi's strict flags. */
function among(onPostgres: Answers, strict: Answers, classic: Answers): Answers {
  return new Map(
    [...onPostgres].filter(([id]) => {
      const [one, other] = [strict.get(id), classic.get(id)]
      return one !== undefined && other !== undefined && isSame(one, other)
    }),
  )
}
