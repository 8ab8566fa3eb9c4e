import { expect } from 'chai'
import { s3Credentials, s3Server } from '../../support/s3-server.js'
import { startApp } from '../../support/start-app.js'

describe('upload.s3.publicUrl', () => {
  it('is the start of the URL of an uploaded file, before the prefix', async function () {
    const bucket = await (await s3Server())?.makeBucket()
    if (bucket === undefined) return this.skip()
    const app = await startApp({
      environment: {
        UPLOAD_PROVIDER: 's3',
        UPLOAD_S3_BUCKET: bucket.bucket,
        UPLOAD_S3_ENDPOINT: bucket.endpoint,
        UPLOAD_S3_FORCE_PATH_STYLE: 'true',
        UPLOAD_S3_PREFIX: 'library/',
        UPLOAD_S3_PUBLIC_URL: 'https://cdn.example.org/media/',
        UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
        UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
      },
    })
    try {
      const body = new FormData()
      body.append('files', new Blob(['text']), 'a.txt')
      const answer = await app.request('POST', '/api/upload', { token: app.token, body })
      expect(answer.status, answer.text).to.equal(201)
      const [file] = answer.body as readonly [{ url: string; hash: string }]
      expect(file.url).to.equal(`https://cdn.example.org/media/library/${file.hash}.txt`)
    } finally {
      await app.stop()
    }
  })
})
