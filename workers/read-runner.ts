import type { ReadAnswer } from '../engine/read/execute/executor.js'
import type { ReadPlan } from '../engine/read/plan/read-plan.js'
import type { AdmissionRequest } from './admission.js'
import type { RunOptions } from './run-read.js'

/** `request` asks for the plan's slot in a queue. */
export type ReadRunnerOptions = RunOptions & Readonly<{ request: AdmissionRequest }>

/** Runs a plan in one execution mode. */
export type ReadRunner = (plan: ReadPlan, options: ReadRunnerOptions) => Promise<ReadAnswer | null>
