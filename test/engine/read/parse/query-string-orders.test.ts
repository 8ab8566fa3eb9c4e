import { expect } from 'chai'
import qs from 'qs'
import { ApiError } from '../../../../engine/errors.js'
import { parseQueryString } from '../../../../engine/read/parse/query-string.js'

const keys = [
  ...['a', 'a[]', 'a[0]', 'a[1]', 'a[2]', 'a[b]', 'a[b][]', 'a[b][0]', 'a[][b]', 'a[0][b]'],
  ...['a[0][0]', 'a[3]'],
]
const oddKeys = [
  ...['[a]', '[]', '[0]', 'a[[b]]', 'a[[b]', 'a[b', 'a[b]c', 'a[b]c[d]', 'a]', 'a[01]', 'a[-1]'],
  ...[
    'a[ ]',
    'a[1e1]',
    'a[][]',
    'a[0][]',
    'a[][0]',
    '',
    'a[9]',
    'a[10]',
    'a.b',
    'a[[]]',
    'b[a][b][c]',
  ],
  ...['a[1000000000000000]', 'a[00]', 'a[3b]', 'a[b3]'],
]
const limit = 3

function byQs(text: string): string {
  try {
    return JSON.stringify(
      qs.parse(text, {
        ...{ depth: 20, strictDepth: true, arrayLimit: limit, throwOnLimitExceeded: true },
        ...{ strictNullHandling: true, plainObjects: true },
      }),
    )
  } catch (error) {
    if (error instanceof RangeError) return 'refused'
    throw error
  }
}

function byQuire(text: string): string {
  try {
    return JSON.stringify(parseQueryString(text, limit))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'limit-exceeded') return 'refused'
    throw error
  }
}

function agree(text: string): void {
  expect(byQuire(text), text).to.equal(byQs(text))
}

describe('parseQueryString compared with qs', () => {
  it('agrees on every order of three parameters', () => {
    for (const first of keys) {
      for (const second of keys) {
        agree(`${first}=1&${second}=2`)
        for (const third of keys) agree(`${first}=1&${second}=2&${third}=3`)
      }
    }
  })

  it('agrees on parameters with empty or missing values', () => {
    for (const first of keys) {
      for (const second of keys) {
        for (const [one, two] of [
          ['', '=2'],
          ['=', '=2'],
          ['=1', ''],
          ['=1', '='],
          ['', ''],
          ['=', '='],
        ] as const) {
          agree(`${first}${one}&${second}${two}`)
          agree(`${first}${one}&${second}${two}&${second}=3`)
        }
      }
    }
  })

  it('agrees on repeated keys', () => {
    for (const key of [...keys, ...oddKeys.filter((odd) => odd !== '')]) {
      for (const times of [1, 2, 3, 4, 5]) {
        agree(Array.from({ length: times }, (_, place) => `${key}=${place}`).join('&'))
        agree(`a=x&${Array.from({ length: times }, (_, place) => `${key}=${place}`).join('&')}`)
      }
    }
  })

  it('agrees on unusual brackets', () => {
    for (const odd of oddKeys) {
      agree(`${odd}=1`)
      agree(odd)
      for (const key of keys) {
        agree(`${odd}=1&${key}=2`)
        agree(`${key}=1&${odd}=2`)
      }
    }
  })

  it('accepts any number of parameters without a name, unlike qs', () => {
    expect(parseQueryString('=1&=2&=3&=4&=5', limit)).to.deep.equal({})
  })

  it('agrees on encoded characters', () => {
    for (const text of [
      'a=b+c',
      'a+b=c',
      'a%5Bb%5D=1',
      'a=%2B+%26',
      'a==b=',
      '&&a=1&',
      'a=%C3%A9',
    ]) {
      agree(text)
    }
  })
})
