import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { routesOf } from '../testing/routes.ts'
import { type AppOptions, createApp } from './app.ts'

// The viewer's own page and files are no API.
const PAGES = ['GET /']

it('documents every route that the server has, and no other', () => {
  // Nothing is asked, so the routes need nothing to stand on.
  const options = { api: {}, imports: {}, otlp: {}, server: {} } as unknown as AppOptions
  const page = readFileSync(new URL('../../../docs/http.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^### ((?:GET|POST|PUT|PATCH|DELETE) \/\S*)$/gm)].map(([, route]) => route)
  expect(documented.sort()).toEqual(routesOf(createApp(options)).filter((route) => !PAGES.includes(route)))
})
