/** `npm run demo`: starts the service with a magazine as content, and prints what to try. */
import { relative } from 'node:path'
import { stopOnSignals } from '../server/lifecycle/stop-on-signals.js'
import { demoAdminFile } from './demo/demo-admin.js'
import { startDemo, type Demo } from './demo/start-demo.js'
import { printError } from './terminal.js'

const stopping = stopOnSignals()

try {
  const demo = await startDemo({
    env: process.env,
    onSeed: () => console.log('Loading the demo content. This takes a few seconds …'),
    signal: stopping,
  })
  console.log(describe(demo))
  stopping.addEventListener('abort', () => void demo.stop().then(() => process.exit(0)))
} catch (error) {
  // Errors after a stop result from stopping the demo.
  if (stopping.aborted) process.exit(0)
  printError(error)
  process.exit(1)
}

// The printed addresses are quoted, because `?` and `&` have a special meaning in some shells.
function describe({ url, admin, token, links, dataDir }: Demo): string {
  return `
Quire is ready at ${url}, with a demo magazine. Try these in a browser or a shell:

${links.map(({ title, url }, index) => `${index + 1}. ${title}\n   curl -g "${url}"\n`).join('\n')}
API reference  ${url}/documentation
API token      ${token}
               (full access; each start creates a new one)
   curl -g -H "Authorization: Bearer ${token}" "${url}/api/articles?status=draft&fields=title"

Admin          ${admin.email}
Password       ${admin.password}
               (stored in ${relative('', demoAdminFile(dataDir))})

All data is in ${relative('', dataDir)}. Delete that folder to start over. Ctrl+C stops the service.
`
}
