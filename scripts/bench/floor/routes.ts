import * as reads from './reads.js'
import type { Answer } from './reads.js'
import { create, update } from './writes.js'

/** A route of the floor: `/<name>`, or `/<name>/<id>`. */
export type FloorRoute = Readonly<{
  name: string
  method: 'GET' | 'POST' | 'PUT'
  hasId: boolean
  status: number
  answer: Answer
}>

const get = (name: string, answer: Answer, hasId = false): FloorRoute => ({
  ...{ name, method: 'GET', hasId, status: 200, answer },
})

export const floorRoutes: readonly FloorRoute[] = [
  get('one', reads.one, true),
  get('list', reads.list),
  get('filter', reads.filter),
  get('populate', reads.populate),
  get('deep', reads.deep),
  get('star', reads.star),
  get('page', reads.page),
  get('relation', reads.relation),
  get('sort', reads.sort),
  get('scan', reads.scan),
  { name: 'create', method: 'POST', hasId: false, status: 201, answer: create },
  { name: 'update', method: 'PUT', hasId: true, status: 200, answer: update },
]
