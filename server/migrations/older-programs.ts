import type { Db } from 'mongodb'

/** A process whose program knows less than a format. */
export type OlderProgram = Readonly<{ _id: string; pid: number; host: string; format?: number }>

/**
 * The processes over a database whose programs know less than a format, and which were heard of within a time.
 * @param starting whether those count, too, that have not looked at the format yet
 */
export async function findOlder(
  db: Db,
  format: number,
  { withinMs, starting }: Readonly<{ withinMs: number; starting: boolean }>,
): Promise<readonly OlderProgram[]> {
  const found = await db
    .collection<OlderProgram>('_instances')
    .find(
      {
        format: { $not: { $gte: format } },
        ...(starting ? {} : { starting: { $ne: true } }),
        $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', withinMs] }] },
      },
      { maxTimeMS: 5_000 },
    )
    .toArray()
  return found.filter((program) => knownBy(program) < format)
}

/** The newest format that a program knows; those that know format 1 alone do not say so. */
export const knownBy = ({ format = 1 }: OlderProgram): number => format

/** Whether a process reads or changes the schema, as each does at its start. */
export async function isStarting(db: Db): Promise<boolean> {
  const lock = await db
    .collection<Readonly<{ _id: string }>>('_schemas')
    .findOne({ _id: 'lock', $expr: { $gte: ['$until', '$$NOW'] } }, { maxTimeMS: 5_000 })
  return lock !== null
}
