import { json } from '@codemirror/lang-json'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { jsonPathAt } from './json-path.ts'

/** The path at the mark. */
function pathIn(text: string): string | undefined {
  const doc = text.replace('|', '')
  return jsonPathAt(EditorState.create({ doc, extensions: [json()] }), text.indexOf('|'))
}

it.each([
  ['|{"a": 1}', '$'],
  ['{"a": |1}', '$.a'],
  ['{"|a": 1}', '$.a'],
  ['{"a": [10, {"b": tr|ue}, 30]}', '$.a[1].b'],
  ['[[1, 2], [3, |4]]', '$[1][1]'],
  ['[1|, 2]', '$'],
  ['{"a b": {"é\\"": "|x"}}', '$["a b"]["é\\""]'],
  ['"|text"', '$'],
])('names the value at the cursor in %s', (text, path) => {
  expect(pathIn(text)).toBe(path)
})

it('names a value in a long text, which is read no further than that', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `{"id": ${at}}`).join(',')
  expect(pathIn(`{"rows": [${rows(3000)}, {"id": |3000}, ${rows(20_000)}]}`)).toBe('$.rows[3000].id')
})
