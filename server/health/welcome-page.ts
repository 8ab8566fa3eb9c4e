import type { Reply } from '../http/route.js'

/**
 * The page at `/`: what runs here, and where its documentation is (docs/decisions.md, "Probes and the start
 * page").
 */
export const welcomePage = (): Reply => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'public, max-age=3600',
  },
  body: bytes,
})

const bytes = new TextEncoder().encode(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Quire</title>
<style>body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>Quire</h1>
<p>This is a headless content service. Its content is at <code>/api/&lt;content-type&gt;</code>, as JSON.</p>
<p>Content is private until a role or an API token may read it: send <code>Authorization: Bearer &lt;token&gt;</code>.</p>
<p><code>README.md</code> and <code>docs/</code>, beside the source, document requests, settings and operation.</p>
<p><a href="/_health">/_health</a> says whether the process is up, <a href="/_ready">/_ready</a> whether it can serve.</p>
</html>
`)
