import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { detectType } from '../../../server/upload/detect-type.js'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>'
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('detectType', () => {
  let directory: string
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'quire-type-'))
  })
  after(() => rm(directory, { recursive: true }))

  const detect = async (content: string | Uint8Array, name: string) => {
    const file = path.join(directory, 'content')
    await writeFile(file, content)
    return detectType(file, name)
  }

  for (const [what, content, name, type] of [
    ['SVG', svg, 'a.png', 'image/svg+xml'],
    ['SVG after a prolog', `<?xml version="1.0"?>\n<!-- x -->\n${svg}`, 'a.txt', 'image/svg+xml'],
    ['SVG after its doctype', `<!DOCTYPE svg PUBLIC "a" "b">${svg}`, 'a.svg', 'image/svg+xml'],
    ['SVG under a prefix', svg.replaceAll('svg', 'x:svg'), 'a.svg', 'image/svg+xml'],
    ['SVG in UTF-16', utf16(svg), 'a.png', 'image/svg+xml'],
    ['HTML', '<!doctype html><p>hi</p>', 'a.png', 'text/html'],
    ['a lone script element', '  <SCRIPT>alert(1)</SCRIPT>', 'a.png', 'text/html'],
    ['a very long comment', `<!--${' '.repeat(5000)}-->${svg}`, 'a.png', 'text/html'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="x"/>', 'a.xml', 'application/xhtml+xml'],
    ['XML', '<?xml version="1.0"?><feed/>', 'a.png', 'application/xml'],
    ['text with the name of a picture', 'this is not a png', 'fake.png', 'text/plain'],
    ['text with the name of an HTML file', 'plain words', 'a.html', 'text/html'],
    ['an HTML fragment', '<img src=x onerror=alert(1)>', 'a.txt', 'text/html'],
    ['a form', '<form action=x><input name=y></form>', 'a.csv', 'text/html'],
    [
      'a custom element with an event handler',
      '<x-y tabindex=1 onfocus=alert(1)>',
      'a.txt',
      'text/html',
    ],
    ['a script recognized by its extension', 'alert(1)', 'a.JS', 'text/javascript'],
    ['a script with a shebang', '#!/bin/sh\nexit\n', 'a.txt', 'application/x-sh'],
    ['PHP', '<?php echo 1 ?>', 'a.text', 'application/x-httpd-php'],
    [
      'a script that is not UTF-8',
      Buffer.from('Write-Host "\xe9"', 'latin1'),
      'a.ps1',
      'application/x-powershell',
    ],
    ['Markdown that mentions an HTML tag', 'Use <img> here', 'a.markdown', 'text/markdown'],
    ['comma-separated values', 'a,b\n1,2\n', 'a.csv', 'text/csv'],
    ['JSON', '{"a":1}', 'a.json', 'application/json'],
    ['text with a less-than sign', 'a < b', 'a.txt', 'text/plain'],
    ['unknown bytes', Buffer.from([1, 2, 3, 255]), 'a.png', 'application/octet-stream'],
  ] as const) {
    it(`detects ${type} in ${what}`, async () => {
      expect((await detect(content, name)).mime).to.equal(type)
    })
  }

  it('accepts a UTF-8 character that is cut off at the end of the bytes it reads', async () => {
    expect((await detect(`a${'é'.repeat(4000)}`, 'a.txt')).mime).to.equal('text/plain')
  })

  it('prefers magic numbers to the file name', async () => {
    const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
    expect(await detect(gif, 'page.html')).to.deep.equal({ mime: 'image/gif', extension: '.gif' })
  })
})
