import type { ReadAnswer } from '../engine/read/run/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { Asked } from './admission.js'
import type { RunOptions } from './run-read.js'

/** How a plan is run: `asked` decides when. */
export type LaneOptions = RunOptions & Readonly<{ asked: Asked }>

/** Runs a plan in one lane. */
export type Lane = (plan: ReadPlan, options: LaneOptions) => Promise<ReadAnswer | null>
