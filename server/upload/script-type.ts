import path from 'node:path'

/**
 * The type of a file that something runs as a program, by the extension of its name: what a browser or an interpreter
 * goes by. Undefined for other names. It is asked where the content is none that is known by itself, so that such a
 * file is of a type that `upload.deniedTypes` can name (docs/decisions.md, "Uploaded files").
 */
export function scriptType(fileName: string): string | undefined {
  return typeByExtension.get(path.extname(fileName).slice(1).toLowerCase())
}

/** The type of a text that says itself what is to run it: `#!/bin/sh`, `<?php`. */
export function scriptTypeOfText(text: string): string | undefined {
  const start = text.replace(/^\uFEFF/, '')
  if (/^\s*<\?(?:php\b|=)/i.test(start)) return php
  return start.startsWith('#!') ? shell : undefined
}

const php = 'application/x-httpd-php'
const shell = 'application/x-sh'

const typeByExtension: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/html': 'html htm shtml hta',
    'application/xhtml+xml': 'xhtml xht',
    'image/svg+xml': 'svg',
    'text/javascript': 'js mjs cjs jse jsx',
    [shell]: 'sh bash zsh csh ksh fish command',
    [php]: 'php php3 php4 php5 php7 php8 phtml phar',
    'application/x-bat': 'bat cmd',
    'application/x-powershell': 'ps1 psm1 psd1',
    'text/vbscript': 'vbs vbe wsf',
    'application/x-perl': 'pl pm cgi',
    'text/x-python': 'py pyw',
    'application/x-ruby': 'rb',
  }).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type] as const),
  ),
)
