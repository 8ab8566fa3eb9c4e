import type { Request } from 'express'
import type { Admission, Line } from '../../workers/admission.js'

/** In the unit of a plan's cost: from here on a write is a large one. */
const largeCost = 1000
/** Of a byte of a body: a list of as many relations as a body can hold takes a second. */
const costPerByte = 0.05

/** What a write is likely to cost, by what was received: a text, of what bodies are made of, not files. */
export function writeCost({ body }: Request): number {
  return 1 + (typeof body === 'string' ? costPerByte * body.length : 0)
}

/** In which writes wait for their turn: large ones, of which a quarter as many run at a time, in a line of their own. */
export function writeLines(admission: Admission, places: number): Line {
  const small = admission.line({ name: 'writes', places })
  const fewer = Math.max(1, Math.floor(places / 4))
  const large = admission.line({ name: 'large writes', places: fewer })
  return { enter: (asked) => (asked.cost < largeCost ? small : large).enter(asked) }
}
