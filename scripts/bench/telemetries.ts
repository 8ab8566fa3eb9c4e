/**
 * What a Quire may measure of itself, by its name in a report. The first two are what the others are compared with:
 * nothing, and what a Quire measures that is told nothing about it. Twice nothing shows what the comparison itself is worth.
 */
export const telemetries = [
  'nothing',
  'log of slow requests (default)',
  'nothing, once more',
  'default and metrics',
  'default and traces, 1 % sampled',
] as const
export type Telemetry = (typeof telemetries)[number]

/** The header by which a request says what is to be measured of it. */
export const telemetryHeader = 'bench-telemetry'
