import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const type = {
  kind: 'collectionType',
  info: { singularName: 'coin', pluralName: 'coins', displayName: 'Coin' },
  attributes: {
    amount: { type: 'decimal', unique: true, max: '12345678901234567890.55' },
    serial: { type: 'biginteger', min: '9007199254740993' },
    fee: { type: 'decimal', default: '0.1000000000000000000000000000000001' },
    count: { type: 'integer' },
    weight: { type: 'float' },
    meta: { type: 'json' },
    parts: { type: 'component', component: 'coin.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['coin.part'] },
  },
}
const part = {
  info: { displayName: 'Part' },
  attributes: { share: { type: 'decimal' }, number: { type: 'biginteger' } },
}

describe('decimals and bigintegers', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({
      schema: { 'content-types/coin.json': type, 'components/coin/part.json': part },
    })
  })
  after(() => app.stop())

  /** Sends the data as a string, because a JavaScript number would lose digits. */
  const post = (data: string) =>
    app.request('POST', '/api/coins', {
      token: app.token,
      body: `{"data":${data}}`,
      headers: { 'Content-Type': 'application/json' },
    })
  const shown = async (query: string) =>
    (await app.request('GET', `/api/coins?${query}`, { token: app.token })).text
  const failures = async (data: string) => {
    const { status, body } = await post(data)
    const { details } = (body as { error: { details: { errors: object[] } } }).error
    return { status, errors: details.errors }
  }
  const fault = (path: string[], message: string, value: unknown) => ({
    status: 400,
    errors: [{ path, message, name: 'ValidationError', value }],
  })

  it('keep every digit, sent as a number or as text, also in components', async () => {
    const made = await post(
      `{"amount": 12345678901234567890.123456789, "serial": 9223372036854775807, "count": 7,
        "meta": {"long": 0.1234567890123456789, "text": "1.23456789012345678901"},
        "parts": [{"share": -0.00000012345678901234567, "number": -9223372036854775808},
                  {"share": "1.50", "number": "9007199254740993"}],
        "zone": [{"__component": "coin.part", "share": 1e400, "number": 9007199254740995}]}`,
    )
    expect(made.status).to.equal(201)
    const text = await shown('populate=*&fields=amount,serial,fee,meta')
    for (const exact of [
      '"amount":12345678901234567890.123456789',
      '"serial":"9223372036854775807"',
      '"fee":0.1000000000000000000000000000000001',
      '"meta":{"long":0.12345678901234568,"text":"1.23456789012345678901"}',
      '"share":-1.2345678901234567E-7,"number":"-9223372036854775808"',
      '"share":1.5,"number":"9007199254740993"',
      '"share":1E+400,"number":"9007199254740995"',
    ]) {
      expect(text).to.include(exact)
    }
  })

  it('keep every digit when another attribute is written', async () => {
    const { body } = await app.request('GET', '/api/coins', { token: app.token })
    const [{ documentId = '' } = {}] = (body as { data: { documentId: string }[] }).data
    const path = `/api/coins/${documentId}`
    await app.request('PUT', path, { token: app.token, body: { data: { count: 8 } } })
    const text = await shown('fields=amount,serial,fee')
    expect(text).to.include('"amount":12345678901234567890.123456789')
    expect(text).to.include('"serial":"9223372036854775807"')
    expect(text).to.include('"fee":0.1000000000000000000000000000000001')
  })

  it('are filtered, sorted and kept unique by every digit', async () => {
    expect((await post('{"amount": 12345678901234567890.123456788}')).status).to.equal(201)
    const amounts = async (query: string) =>
      [...(await shown(`${query}&fields=amount`)).matchAll(/"amount":([\d.]+)/g)].map(
        ([, it]) => it,
      )
    const [less, more] = ['12345678901234567890.123456788', '12345678901234567890.123456789']
    expect(await amounts('sort=amount')).to.deep.equal([less, more])
    expect(await amounts('sort=amount:desc')).to.deep.equal([more, less])
    expect(await amounts(`filters[amount]=${more}`)).to.deep.equal([more])
    expect(await amounts(`filters[amount][$lt]=${more}`)).to.deep.equal([less])
    expect(await amounts(`filters[amount][$notIn][0]=${more}`)).to.deep.equal([less])
    expect(await amounts('filters[serial]=9223372036854775807')).to.deep.equal([more])
    expect(await amounts('filters[serial]=9223372036854775806')).to.deep.equal([])
    expect(await amounts('filters[serial][$gt]=9223372036854775806')).to.deep.equal([more])
    expect(await amounts('filters[parts][share]=-0.00000012345678901234567')).to.deep.equal([more])
    const number = 'populate[parts][filters][number]'
    expect(await shown(`${number}=9007199254740993`)).to.include('"9007199254740993"')
    expect(await shown(`${number}=9007199254740992`)).to.include('"parts":[]')

    const taken = fault(['amount'], 'This attribute must be unique', less)
    expect(await failures(`{"amount": ${less}}`)).to.deep.equal(taken)
    expect(await failures(`{"amount": "${less}0"}`)).to.deep.equal(taken)
  })

  it('are checked against min and max by every digit', async () => {
    const [above, below] = ['12345678901234567890.550000001', '12345678901234567890.549999999']
    const tooMuch = 'amount must be less than or equal to 12345678901234567890.55'
    expect(await failures(`{"amount": ${above}}`)).to.deep.equal(fault(['amount'], tooMuch, above))
    expect((await post(`{"amount": ${below}}`)).status).to.equal(201)
    const tooLittle = 'serial must be greater than or equal to 9007199254740993'
    expect(await failures('{"serial": 9007199254740992}')).to.deep.equal(
      fault(['serial'], tooLittle, 9007199254740992),
    )
    expect((await post('{"serial": 9007199254740993}')).status).to.equal(201)
  })

  it('are rejected if digits would be lost', async () => {
    const long = '1.2345678901234567890123456789012345'
    const message = 'must have at most 34 digits'
    expect(await failures(`{"amount": ${long}}`)).to.deep.equal(
      fault(['amount'], `amount ${message}`, long),
    )
    expect(await failures(`{"parts": [{"share": "${long}"}]}`)).to.deep.equal(
      fault(['parts', '0', 'share'], `parts[0].share ${message}`, long),
    )
    expect(await failures('{"amount": 1e9999}')).to.deep.equal(
      fault(['amount'], `amount ${message}`, '1e9999'),
    )
    expect(await failures('{"serial": 9223372036854775808}')).to.deep.equal(
      fault(['serial'], 'serial must be a valid integer', '9223372036854775808'),
    )
    expect(await failures('{"count": 9007199254740993}')).to.deep.equal(
      fault(
        ['count'],
        'count must be between -9007199254740991 and 9007199254740991',
        9007199254740992,
      ),
    )
    expect((await failures('{"amount": true}')).errors).to.deep.equal([
      {
        path: ['amount'],
        message:
          'amount must be a `number` type, but the final value was: `NaN` (cast from the value `true`).',
        name: 'ValidationError',
        value: null,
        expected: 'a value of type number',
      },
    ])
    const { status, body } = await app.request('GET', `/api/coins?filters[amount]=${long}`, {
      token: app.token,
    })
    expect({ status, body }).to.deep.equal({
      status: 400,
      body: {
        data: null,
        error: {
          status: 400,
          name: 'ValidationError',
          message: `Invalid value at amount. Expected a decimal of at most 34 digits, received: ${long}`,
          details: {
            ...{ path: 'amount', source: 'query', param: 'filters' },
            ...{ expected: 'a decimal of at most 34 digits', received: long },
          },
        },
      },
    })
  })

  it('do not extend to JSON attributes, which reject numbers beyond a double', async () => {
    expect(await post('{"meta":{"a":[1e308,12345678901234567890]}}')).to.include({ status: 201 })
    for (const meta of ['1e309', '-1e309', '{"a":[1e309]}', '"[1e309]"']) {
      const path = meta.includes('"[') ? 'meta[0]' : 'meta'
      const message = `${path} must not hold a number beyond 1.7976931348623157e+308`
      expect((await post(`{"meta":${meta}}`)).body, meta).to.deep.equal(
        errorBody(400, 'ValidationError', message, { path, source: 'body' }),
      )
    }
  })
})
