import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { addressOf, clientKeyOf } from '../../../../server/http/request/request-client.js'

const requestFrom = (ip: string | undefined, remoteAddress?: string) =>
  ({ ip, socket: { remoteAddress } }) as unknown as IncomingMessage

describe('client address', () => {
  it('is normalized', () => {
    for (const [ip, address] of [
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1:567', '192.0.2.1'],
      [' 192.0.2.1 ', '192.0.2.1'],
      ['[192.0.2.1]:567', '192.0.2.1'],
      ['::1', '::1'],
      ['[::1]', '::1'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['fe80::1%eth0', 'fe80::1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['::FFFF:c000:0201', '192.0.2.1'],
      ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
    ] as const)
      expect(addressOf(requestFrom(ip, '198.51.100.1')), ip).to.equal(address)
  })

  it('is the address of the connection if the forwarded one is invalid', () => {
    const others = [
      undefined,
      '',
      'unknown',
      '192.0.2.1:',
      '192.0.2.256',
      '[::1',
      '::1]:80',
      'a.b.c.d',
    ]
    for (const ip of others)
      expect(addressOf(requestFrom(ip, '::ffff:198.51.100.1')), String(ip)).to.equal('198.51.100.1')
    expect(addressOf(requestFrom(undefined))).to.equal('')
  })

  it('has the same key for all IPv6 addresses of one network', () => {
    const [one, same, other] = ['2001:db8::1', '[2001:db8:0:00ff::2]:1', '2001:db8:0:100::1'].map(
      (ip) => clientKeyOf(requestFrom(ip)),
    )
    expect(one).to.equal(same)
    expect(one).not.to.equal(other)
  })
})
