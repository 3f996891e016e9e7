import { describe, expect, it } from 'vitest'
import { isSecretKey, SecretMask } from './secrets.ts'

describe('isSecretKey', () => {
  it.each([
    ...['authorization', 'Cookie', 'set-cookie', 'api_key', 'apikey', 'password', 'passwd', 'secret', 'client_secret', 'private_key'],
    ...[
      'access_token',
      'refresh_token',
      'token',
      'bearer',
      'x-api-key',
      'accessToken',
      'OPENAI_API_KEY',
      'http.request.header.authorization',
    ],
    ...['APIKey', 'dbPassword', 'csrfToken', 'proxy-authorization', 'token2'],
  ])('takes %s for one', (key) => expect(isSecretKey(key)).toBe(true))

  it.each([
    ...[
      'max_tokens',
      'tokenizer',
      'tokens',
      'llm.token_count.prompt',
      'firstTokenMs',
      'gen_ai.response.time_to_first_token',
      'tokenUsage',
      'cookies_eaten',
      'key',
      'api',
      'keyApi',
      'passwordless',
      '',
    ],
    ...['gen_ai.usage.input_tokens', 'secretary', 'bearing'],
  ])('leaves %s alone', (key) => expect(isSecretKey(key)).toBe(false))
})

describe('SecretMask', () => {
  const masked = (value: unknown) => {
    const mask = new SecretMask()
    return { value: JSON.parse(mask.json(JSON.stringify(value))), counts: Object.fromEntries(mask.counts) }
  }

  it('replaces values of any kind at any depth, and counts them by key', () => {
    const value = { a: [{ headers: { Authorization: 'Bearer x', host: 'h' } }], token: { nested: 1 }, password: 1234 }
    expect(masked(value)).toEqual({
      value: { a: [{ headers: { Authorization: '__REDACTED__', host: 'h' } }], token: '__REDACTED__', password: '__REDACTED__' },
      counts: { Authorization: 1, token: 1, password: 1 },
    })
  })

  it('looks into JSON that stands as text, as tool arguments do', () => {
    expect(masked({ args: '{"api_key":"k","q":1}' }).value).toEqual({ args: '{"api_key":"__REDACTED__","q":1}' })
    expect(masked({ args: '{"api_key":"k"' }).value).toEqual({ args: '{"api_key":"k"' })
  })

  it('replaces the value of an OTLP attribute and keeps its form', () => {
    const attributes = [
      { key: 'x-api-key', value: { stringValue: 'k' } },
      { key: 'city', value: { stringValue: 'Lisbon' } },
    ]
    expect(masked({ attributes }).value.attributes).toEqual([
      { key: 'x-api-key', value: { stringValue: '__REDACTED__' } },
      { key: 'city', value: { stringValue: 'Lisbon' } },
    ])
  })

  it('hides the fingerprint of a loop, which is no secret key', () => {
    expect(masked({ loop: { repeats: 3, fingerprint: 'abc' } })).toEqual({
      value: { loop: { repeats: 3, fingerprint: '__REDACTED__' } },
      counts: {},
    })
  })

  it('gives text without secrets back unchanged, to the byte', () => {
    const text = '{ "max_tokens": 1e2, "note":"my password is x" }'
    expect(new SecretMask().json(text)).toBe(text)
  })

  it('keeps a key named __proto__ where it is', () => {
    const mask = new SecretMask()
    expect(mask.json('{"__proto__":{"token":"x"},"a":1}')).toBe('{"__proto__":{"token":"__REDACTED__"},"a":1}')
  })
})
