import { execFileSync } from 'node:child_process'
import { chromium, type Browser } from 'playwright-core'

/** The path of a Chromium of this machine: `CHROMIUM`, or found on `PATH`. */
function chromiumPath(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return named
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: 'pipe' }).trim()
    } catch {
      // Not by this name.
    }
  return undefined
}

/** A browser of the machine, without a window and with an empty profile; undefined where there is none. */
export async function launchChromium(): Promise<Browser | undefined> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) return undefined
  return chromium.launch({ executablePath })
}
