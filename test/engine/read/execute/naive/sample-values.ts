import { Decimal128 } from 'mongodb'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'

/** A stored value, and how queries write it. */
type Sample = Readonly<{ stored: unknown; texts: readonly string[] }>

const plain = (stored: unknown, ...texts: readonly string[]): Sample => ({
  stored,
  texts: texts.length === 0 ? [String(stored)] : texts,
})
const instant = (iso: string): Sample =>
  plain(new Date(iso), iso, String(new Date(iso).getTime()), iso.replace('Z', '+00:00'))
const decimal = (text: string, ...more: readonly string[]): Sample =>
  plain(Decimal128.fromString(text), text, ...more)

const words = [
  ...['a', 'A', 'b', 'ab', 'Ab', 'É', 'é', 'aÉ', 'e\u0301', 'ß', 'ẞ', 'ss', 'ſ', 's', 'S'],
  ...['K', 'k', '\u212a', 'σ', 'ς', 'Σ', 'İ', 'i', 'ı', 'I', 'ǆ', 'ǅ', 'Å', '\u212b', 'Ꭰ', 'ꭰ'],
  ...['😀', '\uffee', '𐐀', '𐐨', 'a\nb', 'a\n', '\n', '.*', '%', '_', '\\', '[a]', '-', 'null', '0'],
  ...['', ' ', 'true', '$eq', 'a,b', 'a.b', '+', '&=', '#'],
].map((text) => plain(text))

const integers = [0, 1, 2, -1, 3, 2147483648, -2147483649, Number.MAX_SAFE_INTEGER].map((n) =>
  plain(n),
)

/** Only a few values per type, so that queries often match. Some are hard to keep exact. */
export const samples: Readonly<Record<ScalarType, readonly Sample[]>> = {
  string: words,
  text: words.slice(0, 10),
  richtext: words,
  email: words.slice(0, 20),
  uid: words.slice(0, 10),
  password: words,
  enumeration: ['a', 'b', 'É'].map((text) => plain(text)),
  integer: [...integers, plain(1, '1e0', '0x1', ' 1', '1.0')],
  float: [0, 0.1, 0.2, 0.30000000000000004, -1.5, 1e21, 1e-7, 3].map((n) => plain(n)),
  biginteger: [
    ...['0', '1', '-1', '9007199254740992', '9007199254740993', '-9007199254740993'],
    ...['9223372036854775807', '9223372036854775806', '-9223372036854775808'],
  ].map((text) => plain(BigInt(text), text)),
  decimal: [
    decimal('0', '0.0'),
    decimal('0.1', '0.10', '1e-1'),
    decimal('0.1000000000000000055511151231257827'),
    decimal('1E+3', '1000', '1e3'),
    decimal('-2.50', '-2.5'),
    decimal('12345678901234567890.12'),
    decimal('12345678901234567890.13'),
  ],
  boolean: [plain(true, 'true', 't', '1', 'yes'), plain(false, 'false', 'f', '0', '')],
  date: [
    plain('2024-02-29', '2024-02-29', '2024-02-29T10:00:00Z'),
    plain('1999-12-31'),
    plain('2024-03-01'),
  ],
  time: [
    plain('10:30:00.000', '10:30:00', '10:30:00.0', '10:30:00.000'),
    plain('10:30:00.001'),
    plain('23:59:59.999'),
  ],
  datetime: [
    instant('2024-02-29T10:00:00.000Z'),
    instant('1969-12-31T23:59:59.999Z'),
    instant('2024-02-29T10:00:00.001Z'),
    plain(new Date('2024-03-01'), '2024-03-01', '2024-03-01T01:00:00+01:00'),
  ],
  timestamp: [instant('2024-02-29T10:00:00.000Z')],
  json: [
    { a: 1, b: [null] },
    [],
    [null],
    [1, null],
    {},
    'text',
    0,
    false,
    '',
    [[1]],
    [{ a: null }],
  ].map((value) => plain(value)),
  array: [[], [null], ['a', null], [1, 2], [[]]].map((value) => plain(value)),
  blocks: [plain([{ type: 'paragraph', children: [{ type: 'text', text: 'a' }] }])],
}
