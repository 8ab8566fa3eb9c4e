/** What is measured, in the order in which it is shown; `start` and `mix` are measured in ways of their own. */
export const scenarioNames = [
  'one',
  'list',
  'filter',
  'populate',
  'deep25',
  'deep100',
  'star',
  'page',
  'relation',
  'sort',
  'scan',
  'create',
  'update',
  'mix',
  'start',
] as const

export type ScenarioName = (typeof scenarioNames)[number]
