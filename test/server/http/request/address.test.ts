import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { addressOf, clientKeyOf } from '../../../../server/http/request/address.js'

const asked = (ip: string | undefined, remoteAddress?: string) =>
  ({ ip, socket: { remoteAddress } }) as unknown as IncomingMessage

describe('The address of a client', () => {
  it('is written in one way', () => {
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
      expect(addressOf(asked(ip, '198.51.100.1')), ip).to.equal(address)
  })

  it('is that of the connection where another is none', () => {
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
      expect(addressOf(asked(ip, '::ffff:198.51.100.1')), String(ip)).to.equal('198.51.100.1')
    expect(addressOf(asked(undefined))).to.equal('')
  })

  it('counts as its network where it is IPv6', () => {
    const [one, same, other] = ['2001:db8::1', '[2001:db8:0:00ff::2]:1', '2001:db8:0:100::1'].map(
      (ip) => clientKeyOf(asked(ip)),
    )
    expect(one).to.equal(same)
    expect(one).not.to.equal(other)
  })
})
