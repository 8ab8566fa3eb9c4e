import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { pino, type Logger } from 'pino'
import { readableLines } from '../../../server/logging/readable-lines.js'

describe('readableLines', () => {
  const written = (out: PassThrough, write: (log: Logger) => void): string => {
    const timestamp = () => `,"time":${new Date(2026, 0, 2, 12, 3, 4).getTime()}`
    write(pino({ level: 'debug', timestamp }, readableLines(out)))
    return String(out.read())
  }

  it('writes one short line per message, and the stack of an error', () => {
    const text = written(new PassThrough(), (log) => {
      log.info({ url: 'http://localhost' }, 'Quire is ready at http://localhost')
      log.info({ reqId: 'a', responseTime: 3.6 }, 'GET /api/notes 200')
      log.warn('The disk is almost full')
      log.error({ err: Object.assign(new Error('No'), { stack: 'Error: No\n    at f' }) }, 'Failed')
      log.debug('A detail')
    })
    expect(stripVTControlCharacters(text).split('\n')).to.deep.equal([
      '12:03:04 Quire is ready at http://localhost',
      '12:03:04 GET /api/notes 200 4 ms',
      '12:03:04 warn The disk is almost full',
      '12:03:04 error Failed',
      'Error: No',
      '    at f',
      '12:03:04 debug A detail',
      '',
    ])
  })

  it('uses colours only on a terminal', () => {
    const { FORCE_COLOR, NO_COLOR } = process.env
    delete process.env.FORCE_COLOR
    delete process.env.NO_COLOR
    const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 })
    const ofTerminal = written(terminal, (log) => log.warn('Full'))
    const ofFile = written(new PassThrough(), (log) => log.warn('Full'))
    Object.assign(process.env, FORCE_COLOR && { FORCE_COLOR }, NO_COLOR && { NO_COLOR })
    expect(ofTerminal).to.equal('\u001B[90m12:03:04\u001B[39m \u001B[33mwarn\u001B[39m Full\n')
    expect(ofFile).to.equal('12:03:04 warn Full\n')
  })
})
