import { pino } from 'pino'
import { setHashCosts } from '../../engine/write/rules/hash-password.js'
import { startQuire, type Quire } from '../../server/lifecycle/start.js'
import { loadConfig } from '../../server/settings/config.js'

setHashCosts({ memoryCost: 8, timeCost: 1 })

/** Starts the service in this process, on a free port and without a log. Its environment only contains `env`. */
export async function startInProcess(
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<Quire> {
  const config = loadConfig({ HOST: '127.0.0.1', PORT: '0', ...env }, folder)
  // How long the service waits for open connections when it stops, because clients keep theirs open.
  const settings = { ...config.settings, 'http.shutdownGraceMs': 20 }
  return startQuire({ ...config, settings }, { log: pino({ level: 'silent' }) })
}
