/** Runs a test once in each of some zones of the machine: east, west, with half hours and summer times. */
export function inTimeZones(test: (zone: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const before = process.env['TZ']
    try {
      for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati']) {
        process.env['TZ'] = zone
        await test(zone)
      }
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  }
}
