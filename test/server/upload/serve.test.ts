import { expect } from 'chai'
import { uploadHeaders } from '../../../server/upload/serve.js'

describe('A stored file', () => {
  it('is shown in the browser where it is a picture, a film, a sound or a PDF', () => {
    for (const name of ['a.png', 'a.JPG', 'a.webp', 'a.mp4', 'a.mp3', 'a.pdf']) {
      expect(uploadHeaders(name), name).not.to.have.property('Content-Disposition')
    }
  })

  it('is a download in a sandbox where it is anything else', () => {
    const texts = ['a.html', 'a.svg', 'a.xml', 'a.xhtml', 'a.js', 'a.txt', 'a.csv']
    for (const name of [...texts, 'a.zip', 'a.woff2', 'a.unheardof']) {
      expect(uploadHeaders(name), name).to.include({
        'Content-Disposition': 'attachment',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      })
    }
  })

  it('is never guessed at, and may be embedded by pages of other origins', () => {
    expect(uploadHeaders('a.png')).to.include({
      'Content-Type': 'image/png',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  })

  it('is not found under a name that this service would not give', () => {
    for (const name of ['../a.png', '.a', 'a', 'A b.png', 'a.png/..']) {
      expect(uploadHeaders(name), name).to.equal(undefined)
    }
  })
})
