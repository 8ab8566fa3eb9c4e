import { chromium, type Browser } from 'playwright-core'
import { findOnPath } from '../server/database/host.js'

/** Launches the Chromium in `CHROMIUM` or on `PATH`. Returns undefined if there is none. */
export async function launchChromium(): Promise<Browser | undefined> {
  let executablePath = process.env['CHROMIUM']
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    executablePath ??= await findOnPath(name)
  return executablePath === undefined ? undefined : chromium.launch({ executablePath })
}
