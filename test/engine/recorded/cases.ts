import type { Asked } from './recorded-query.js'
import { corners } from './corners.js'
import { bounds, filters } from './filters.js'
import { groups } from './groups.js'
import { jsonPaths } from './json-paths.js'
import { lists } from './lists.js'
import { operators } from './operators.js'
import { populates } from './populates.js'
import { sorts } from './sorts.js'

/** Queries of the museum. Their plans and pipelines are recorded. */
export const cases: readonly Asked[] = [
  ...lists,
  ...operators,
  ...filters,
  ...sorts,
  ...populates,
  ...bounds,
  ...corners,
  ...jsonPaths,
  ...groups,
]
