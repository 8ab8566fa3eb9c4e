import { expect } from 'chai'
import { uploadHeaders } from '../../../server/upload/serve.js'

describe('uploadHeaders', () => {
  it('lets the browser display pictures, videos, audio and PDF', () => {
    for (const name of ['a.png', 'a.JPG', 'a.webp', 'a.mp4', 'a.mp3', 'a.pdf']) {
      expect(uploadHeaders(name), name).not.to.have.property('Content-Disposition')
    }
  })

  it('makes any other file a download with a sandbox policy', () => {
    const texts = ['a.html', 'a.svg', 'a.xml', 'a.xhtml', 'a.js', 'a.txt', 'a.csv']
    for (const name of [...texts, 'a.zip', 'a.woff2', 'a.unheardof']) {
      expect(uploadHeaders(name), name).to.include({
        'Content-Disposition': 'attachment',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      })
    }
  })

  it('forbids content sniffing, and allows pages of other origins to embed the file', () => {
    expect(uploadHeaders('a.png')).to.include({
      'Content-Type': 'image/png',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  })

  it('returns undefined for a name that Quire would not generate', () => {
    for (const name of ['../a.png', '.a', 'a', 'A b.png', 'a.png/..']) {
      expect(uploadHeaders(name), name).to.equal(undefined)
    }
  })
})
