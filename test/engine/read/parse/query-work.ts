import { startCounting } from '../../../support/count-work.js'

/** Runs in a child process. Receives query strings, and sends back the work to parse or reject each. */
const count = startCounting((url) => /\/engine\/(?:read\/(?:parse|resolve)|errors)/.test(url))
const { prepare } = await import('../execute/prepare.js')
const { ApiError } = await import('../../../../engine/errors.js')

process.on('message', (search: string) => {
  let refusal: unknown = null
  const work = count(() => {
    try {
      prepare(search)
    } catch (error) {
      refusal = error
    }
  })
  const failed = refusal !== null && !(refusal instanceof ApiError && refusal.status === 400)
  process.send?.({ ...work, failed: failed ? String(refusal) : null })
})
