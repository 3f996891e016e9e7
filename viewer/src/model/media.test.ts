import { describe, expect, it } from 'vitest'
import { readChat } from './chat.ts'
import { MOST_PICTURE_BYTES, valueWithoutBase64, withoutBase64 } from './media.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const DRAWN = { type: 'media', media: 'image/png', bytes: 70, picture: `data:image/png;base64,${PNG}`, elsewhere: undefined }
const partOf = (part: unknown) => readChat([{ role: 'user', content: [part] }], 'user')?.[0]?.parts[0]

describe('a picture in a message', () => {
  it.each([
    ['of the AI SDK', { type: 'image', image: PNG, mediaType: 'image/png' }],
    ['of the AI SDK, as an address', { type: 'image', image: `data:image/png;base64,${PNG}` }],
    ['of the AI SDK, as a file', { type: 'file', data: PNG, mediaType: 'image/png' }],
    ['of OpenAI', { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
    ['of OpenAI’s Responses', { type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
    ['of Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
    ['of Gemini', { inlineData: { mimeType: 'image/png', data: PNG } }],
    ['of OpenTelemetry', { type: 'blob', modality: 'image', mime_type: 'image/png', content: PNG }],
  ])('%s is drawn from the message itself', (_whose, part) => {
    expect(partOf(part)).toEqual(DRAWN)
  })

  it.each([
    ['of OpenAI', { type: 'image_url', image_url: { url: 'https://example.org/a.png' } }, 'https://example.org/a.png'],
    ['of Anthropic', { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }, 'https://example.org/a.png'],
    ['of OpenTelemetry', { type: 'uri', modality: 'image', uri: 'gs://bucket/a.png' }, 'gs://bucket/a.png'],
  ])('%s that lies elsewhere is named and never loaded', (_whose, part, elsewhere) => {
    expect(partOf(part)).toMatchObject({ picture: undefined, bytes: undefined, elsewhere })
  })

  it('is drawn up to its limit and named above it', () => {
    const most = `iVBORw0KGgo${'A'.repeat((MOST_PICTURE_BYTES / 3) * 4 - 11)}`
    expect(partOf({ type: 'image', image: most })).toMatchObject({ bytes: MOST_PICTURE_BYTES, picture: expect.any(String) })
    expect(partOf({ type: 'image', image: `${most}AAAA` })).toMatchObject({ bytes: MOST_PICTURE_BYTES + 3, picture: undefined })
  })

  it('is drawn only when it is one, whatever it is called', () => {
    const svg = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`
    expect(partOf({ type: 'image', image: svg })).toMatchObject({ media: 'image/svg+xml', picture: undefined })
    expect(partOf({ type: 'input_audio', input_audio: { data: 'UklHUg==', format: 'wav' } })).toMatchObject({
      media: 'wav',
      picture: undefined,
    })
    expect(partOf({ type: 'image', image: { type: 'Buffer' }, mediaType: 'image/png' })).toMatchObject({
      media: 'image/png',
      bytes: undefined,
    })
  })
})

describe('base64 in a text', () => {
  const long = PNG.replace('==', '').repeat(4)

  it('is named instead of written out, alone, inside of a text and inside of a value', () => {
    expect(withoutBase64(long)).toBe('[image/png, 282 B]')
    expect(withoutBase64(`![a](data:image/png;base64,${long}) and more`)).toBe('![a]([image/png, 282 B]) and more')
    expect(valueWithoutBase64({ content: [{ data: long }, 'plain'] })).toEqual({ content: [{ data: '[image/png, 282 B]' }, 'plain'] })
  })

  it('is left alone when it is short, as are words and digests', () => {
    for (const text of [PNG, 'a'.repeat(300), `sha256-${'ab12'.repeat(16)}`, `${'Many words. '.repeat(40)}`])
      expect(withoutBase64(text)).toBe(text)
  })
})
