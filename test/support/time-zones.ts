/**
 * Returns a test that runs in several time zones: east and west of Greenwich, with half-hour offsets, and with daylight
 * saving time.
 */
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
