import type fc from 'fast-check'
import type { QueryCache } from '../../../../../engine/read/plan/known-queries.js'
import type { Executor, ReadPlan, ReadTarget } from '../../../../../engine/read.js'
import type { ContentType } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { typeOf } from '../../../../../engine/schema/registry.js'
import { answerList, answerOne } from './answer.js'
import { drawQuery } from './draw-query.js'
import { contentTypesOf, documentIdsOf } from './draw-world.js'
import type { Draw } from './draw.js'
import { drawn } from './draw.js'
import { planFor, readText, searchOf } from './engine-world.js'
import type { Query } from './query.js'
import type { Format } from './show.js'
import type { World } from './world.js'

/** A request for a list or one document, in either response format. */
export type Question = Readonly<{
  uid: string
  query: Query
  /** For error messages. */
  search: string
  format: Format
  /** Null for a list. */
  documentId: string | null
}>

export const questions = (registry: Registry): fc.Arbitrary<Question> =>
  drawn((draw) => drawQuestion(draw, registry))

function drawQuestion(draw: Draw, registry: Registry): Question {
  const type = draw.pick(contentTypesOf(registry))
  const query = drawQuery(draw, registry, type)
  return {
    uid: type.uid,
    query,
    search: `${type.pluralName}?${decodeURIComponent(searchOf(query))}`,
    format: draw.pick(['flat', 'flat', 'v4'] as const),
    documentId: draw.chance(15) ? draw.pick(documentIdsOf(type)) : null,
  }
}

/** Returns the engine's response. Null if the document does not exist. */
export function askEngine(
  registry: Registry,
  executor: Executor,
  question: Question,
): Promise<string | null> {
  const { type, target } = parts(registry, question)
  return readText(registry, executor, type, question.query, target)
}

export function planOf(registry: Registry, question: Question, cache?: QueryCache): ReadPlan {
  const { type, target } = parts(registry, question)
  return planFor(registry, type, question.query, target, cache)
}

/** Returns the response of the naive evaluator. */
export function askArrays(world: World, question: Question): string | null {
  const { type } = parts(world.registry, question)
  const { query, format, documentId } = question
  return documentId === null
    ? answerList(world, type, query, format)
    : answerOne(world, type, documentId, query, format)
}

function parts(
  registry: Registry,
  { uid, format, documentId }: Question,
): Readonly<{ type: ContentType; target: Partial<ReadTarget> }> {
  const of = documentId === null ? 'list' : { documentId }
  return { type: typeOf(registry, uid), target: { of, format } }
}
