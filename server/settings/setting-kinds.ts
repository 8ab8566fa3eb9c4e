import { parseTrustedProxies } from '../http/trust-proxy.js'
import { isSecureAddress } from './secure-address.js'

/** A setting of `settingsTable`, of one of seven kinds: what its value may be, and what docs/settings.md says of it. */
export type Setting =
  | NumberSetting
  | BooleanSetting
  | TextSetting
  | ChoiceSetting<string>
  | ListSetting
  | MapSetting
  | TreesSetting

/** What every kind says of itself. */
type Common = Readonly<{
  meaning: string
  unit?: string | undefined
  /** What a text, or each member of a list, must be beyond its type. */
  check?: Readonly<{ expected: string; accepts: (text: string) => boolean }>
  /** Messages do not repeat its value. */
  secret?: true
}>

export type NumberSetting = Common &
  Readonly<{ type: 'integer'; default: number; min: number; max: number }>
export type BooleanSetting = Common & Readonly<{ type: 'boolean'; default: boolean }>
export type TextSetting = Common & Readonly<{ type: 'text'; default: string }>
export type ChoiceSetting<T extends string> = Common &
  Readonly<{ type: 'choice'; choices: readonly T[]; default: T }>
/** Comma-separated in the environment, an array in the file. */
export type ListSetting = Common & Readonly<{ type: 'list'; default: readonly string[] }>

/** An object in the file, whose keys are names of any form; comma-separated `name=value` in the environment. */
export type MapSetting = Common &
  Readonly<{ type: 'map'; choices: readonly string[]; default: Readonly<Record<string, string>> }>

/** An object in the file, whose keys are names of any form and whose members any JSON; the same JSON in the environment. */
export type TreesSetting = Common &
  Readonly<{ type: 'trees'; default: Readonly<Record<string, unknown>> }>

/** What a setting of a kind holds. */
export type ValueOf<S> = S extends NumberSetting
  ? number
  : S extends BooleanSetting
    ? boolean
    : S extends ListSetting
      ? readonly string[]
      : S extends MapSetting
        ? Readonly<Record<string, string>>
        : S extends TreesSetting
          ? Readonly<Record<string, unknown>>
          : S extends ChoiceSetting<infer T>
            ? T
            : string

type Check = NonNullable<Common['check']>

/** A whole number from `min` to `max`, both included, in `unit`. */
export const integer = (
  fallback: number,
  min: number,
  meaning: string,
  unit?: string,
  // What fits a timer of Node, in ms.
  max = 2_147_483_647,
): NumberSetting => ({
  type: 'integer',
  default: fallback,
  min,
  max,
  meaning,
  unit,
})

/** `true` or `false`. */
export const flag = (fallback: boolean, meaning: string): BooleanSetting => ({
  type: 'boolean',
  default: fallback,
  meaning,
})

/** A text that passes a check. */
export const line = (fallback: string, meaning: string, check: Check): TextSetting => ({
  type: 'text',
  default: fallback,
  meaning,
  check,
})

/** One of a few words. */
export const choice = <T extends string>(
  choices: readonly T[],
  fallback: NoInfer<T>,
  meaning: string,
): ChoiceSetting<T> => ({
  type: 'choice',
  choices,
  default: fallback,
  meaning,
})

/** Texts, of which each passes a check. */
export const list = (fallback: readonly string[], meaning: string, check: Check): ListSetting => ({
  type: 'list',
  default: fallback,
  meaning,
  check,
})

/** Names of any form, each with one of a few words. */
export const map = (choices: readonly string[], meaning: string): MapSetting => ({
  type: 'map',
  choices,
  default: {},
  meaning,
})

/** Trees of JSON by names of any form. */
export const trees = (meaning: string): TreesSetting => ({ type: 'trees', default: {}, meaning })

// What texts may be.

export const attributeName: Check = {
  expected: 'the name of an attribute',
  accepts: (text) => text !== '',
}
export const origin: Check = {
  expected: '`*`, or an origin such as `https://example.org`',
  accepts: (text) => /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/]+)$/i.test(text),
}
export const apiPath: Check = {
  expected: 'a path such as `/api` or `/cms/v1`, which is none of the service besides',
  accepts: (text) =>
    /^(\/[\w.~-]+)+$/.test(text) &&
    !/^\/(_health|_ready|admin|content-type-builder|documentation|i18n|metrics|uploads|users-permissions)(\/|$)/i.test(
      text,
    ),
}
export const mimeType: Check = {
  expected: 'a MIME type such as `image/png`',
  accepts: (text) => /^[\w.+-]+\/[\w.+-]+$/.test(text),
}
export const breakpointSide: Check = {
  expected: 'a name and pixels, such as `large=1000`',
  accepts: (text) =>
    /^(?!(?:thumbnail|original)=|\S*_(?:webp|avif)=)[a-z][a-z0-9_-]{0,19}=[1-9]\d{0,4}$/.test(text),
}
export const furtherFormat: Check = {
  expected: '`webp` or `avif`',
  accepts: (text) => text === 'webp' || text === 'avif',
}
export const variantQuery: Check = {
  expected: 'a size such as `width=400` or `width=600&height=400&fit=cover&format=webp`',
  accepts: (text) => /^[a-z]+=[a-z0-9]+(&[a-z]+=[a-z0-9]+)*$/.test(text),
}
export const program: Check = {
  expected: '`auto`, or the path of a program such as `/usr/bin/mongod`',
  accepts: (text) => text === '' || text === 'auto' || /[\\/]/.test(text),
}
export const webAddress: Check = {
  expected: 'an address such as `https://example.org/page`',
  accepts: (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text)),
}
export const page: Check = {
  expected: 'an address such as `https://example.org/page`',
  accepts: (text) => text.length <= 1000 && text !== '' && webAddress.accepts(text),
}
/** Nobody logs in with what stands in an address, and logs may show it. */
export const hookAddress: Check = {
  expected: 'an address such as `https://example.org/purge`, without a user and a password',
  accepts: (text) =>
    text === '' ||
    (webAddress.accepts(text) && new URL(text).username + new URL(text).password === ''),
}
/** As Standard Webhooks writes the secrets of its symmetric signatures. */
export const webhookSecret: Check = {
  expected:
    '`whsec_` and 24 to 64 bytes in Base64; `echo "whsec_$(openssl rand -base64 33)"` makes one',
  accepts: (text) => text === '' || /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text),
}
/** https, or any web address of this machine. */
export const secureAddress: Check = {
  expected: 'an address such as `https://example.org/realm`, `http` on this machine alone',
  accepts: (text) => text === '' || (URL.canParse(text) && isSecureAddress(new URL(text))),
}
export const accessScope: Check = {
  expected: 'a scope of OAuth 2, such as `email`',
  accepts: (text) => /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text),
}
export const redirect: Check = {
  expected: 'a path such as `/welcome`, or an address',
  accepts: (text) => /^\/(?![/\\])/.test(text) || (text !== '' && webAddress.accepts(text)),
}
export const mailbox: Check = {
  expected: 'an e-mail address, such as `Site <site@example.org>`',
  accepts: (text) => /^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)?$/.test(text),
}
export const mailServer: Check = {
  expected: 'the address of an SMTP server, such as `smtps://user:password@smtp.example.org`',
  accepts: (text) => text === '' || /^smtps?:\/\/./.test(text),
}
export const sentryAddress: Check = {
  expected: 'a DSN such as `https://key@errors.example.org/1`',
  accepts: (text) =>
    text === '' ||
    (/^https?:\/\/\w+(:\w+)?@[^\s/@?#]+(\/[^\s?#]+)*\/\d+$/.test(text) && URL.canParse(text)),
}
export const environmentName: Check = {
  expected: 'a name of at most 64 characters, without spaces and slashes',
  accepts: (text) => /^[^\s/]{0,64}$/.test(text),
}
export const hostName: Check = {
  expected: 'an address or a name such as `127.0.0.1` or `localhost`',
  accepts: (text) => /^[\w.:-]*$/.test(text),
}
export const token: Check = {
  expected: 'a text of at least 16 characters without spaces',
  accepts: (text) => text === '' || /^[\x21-\x7e]{16,}$/.test(text),
}
export const proxies: Check = {
  expected: '`loopback`, `linklocal`, `uniquelocal`, addresses or networks, or a number of hops',
  accepts: (text) => parseTrustedProxies(text) !== undefined,
}
/** RFC 6749, A.1 and A.2. */
export const clientText: Check = {
  expected: 'a text of ASCII characters',
  accepts: (text) => /^[\x20-\x7e]*$/.test(text),
}
