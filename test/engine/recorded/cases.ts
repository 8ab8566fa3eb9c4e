import type { Asked } from './ask.js'
import { corners } from './corners.js'
import { bounds, filters } from './filters.js'
import { groups } from './groups.js'
import { jsonPaths } from './json-paths.js'
import { lists } from './lists.js'
import { operators } from './operators.js'
import { populates } from './populates.js'
import { sorts } from './sorts.js'

/** What is asked of the museum, each with all that it becomes. */
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
