import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { detectType } from '../../../server/upload/detect-type.js'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>'
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')

describe('The type of a file', () => {
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
    ['a script alone', '  <SCRIPT>alert(1)</SCRIPT>', 'a.png', 'text/html'],
    ['a comment without end', `<!--${' '.repeat(5000)}-->${svg}`, 'a.png', 'text/html'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="x"/>', 'a.xml', 'application/xhtml+xml'],
    ['XML', '<?xml version="1.0"?><feed/>', 'a.png', 'application/xml'],
    ['text that calls itself a picture', 'this is not a png', 'fake.png', 'text/plain'],
    ['text that calls itself HTML', 'plain words', 'a.html', 'text/html'],
    ['a piece of HTML', '<img src=x onerror=alert(1)>', 'a.txt', 'text/html'],
    ['a form', '<form action=x><input name=y></form>', 'a.csv', 'text/html'],
    ['a tag of its own with a handler', '<x-y tabindex=1 onfocus=alert(1)>', 'a.txt', 'text/html'],
    ['a script by its name', 'alert(1)', 'a.JS', 'text/javascript'],
    ['a script that says what runs it', '#!/bin/sh\nexit\n', 'a.txt', 'application/x-sh'],
    ['PHP', '<?php echo 1 ?>', 'a.text', 'application/x-httpd-php'],
    [
      'a script that is no UTF-8',
      Buffer.from('Write-Host "\xe9"', 'latin1'),
      'a.ps1',
      'application/x-powershell',
    ],
    ['words about HTML', 'Use <img> here', 'a.markdown', 'text/markdown'],
    ['comma-separated values', 'a,b\n1,2\n', 'a.csv', 'text/csv'],
    ['JSON', '{"a":1}', 'a.json', 'application/json'],
    ['a comparison', 'a < b', 'a.txt', 'text/plain'],
    ['unknown bytes', Buffer.from([1, 2, 3, 255]), 'a.png', 'application/octet-stream'],
  ] as const) {
    it(`comes from its content: ${what}`, async () => {
      expect((await detect(content, name)).mime).to.equal(type)
    })
  }

  it('survives a character that is cut at the end of what is read', async () => {
    expect((await detect(`a${'é'.repeat(4000)}`, 'a.txt')).mime).to.equal('text/plain')
  })

  it('is told by magic numbers whatever the name says', async () => {
    const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
    expect(await detect(gif, 'page.html')).to.deep.equal({ mime: 'image/gif', extension: '.gif' })
  })
})
