import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../testing/command-line.ts'
import { VERSION } from '../../version.ts'
import { plansFor } from './plan.ts'
import { readProject } from './project.ts'
import { withChange } from './write.ts'

const planOf = (files: Readonly<Record<string, string>>) => plansFor(readProject(new Map(Object.entries(files))))[0]
const node = (content: object) => planOf({ 'package.json': JSON.stringify(content) })

describe('a plan for a Node project', () => {
  it.each([
    [{ ai: '^7.0.0' }, 'AI SDK 7', 'registerTelemetry(new OpenTelemetry())', '@ai-sdk/otel'],
    [
      { '@langchain/langgraph': '1.0.0' },
      'LangChain / LangGraph',
      'manuallyInstrument(callbacks)',
      'openinference-instrumentation-langchain',
    ],
    [{ openai: '5.1.0' }, 'OpenAI client', 'manuallyInstrument(OpenAI)', 'openinference-instrumentation-openai'],
    [{ '@anthropic-ai/sdk': '1.0.0' }, 'Anthropic client', 'manuallyInstrument(Anthropic)', 'openinference-instrumentation-anthropic'],
  ])('names %j and sets its spans up', (dependencies, name, line, needed) => {
    const plan = node({ dependencies })
    expect(plan?.frameworks.map((framework) => framework.name)).toEqual([name])
    expect(plan?.file.text).toContain(line)
    expect(plan?.file.text).toContain("import '@graphmind-ai/otel/register'")
    expect(plan?.install).toMatch(/^npm install --save-dev @graphmind-ai\/otel /)
    expect(plan?.install).toContain(needed)
  })

  it.each([
    ['^4.3.0', 'AI SDK 4'],
    ['5.0.277', 'AI SDK 5'],
    ['~6.0', 'AI SDK 6'],
  ])('tells what only the author of an AI SDK %s program can do', (version, name) => {
    const plan = node({ dependencies: { ai: version } })
    expect(plan?.frameworks[0]?.name).toBe(name)
    expect(plan?.inCode[0]).toContain('experimental_telemetry: { isEnabled: true }')
  })

  it.each([
    ['node server.js', 'node --import ./graphmind.mjs server.js'],
    ['tsx watch src/app.ts', 'tsx --import ./graphmind.mjs watch src/app.ts'],
    ['node --import @graphmind-ai/otel/register agent.mjs', 'node --import ./graphmind.mjs agent.mjs'],
    ['next start', 'NODE_OPTIONS="--import ./graphmind.mjs" next start'],
  ])('starts what “%s” starts', (start, expected) => {
    expect(node({ scripts: { start } })?.start).toBe(expected)
  })

  it.each([
    ['pnpm-lock.yaml', 'pnpm add --save-dev'],
    ['yarn.lock', 'yarn add --dev'],
    ['bun.lock', 'bun add --dev'],
  ])('installs with the tool of %s', (lockfile, tool) => {
    expect(planOf({ 'package.json': '{}', [lockfile]: '' })?.install).toBe(`${tool} @graphmind-ai/otel`)
  })

  it('installs nothing that is there', () => {
    expect(node({ devDependencies: { '@graphmind-ai/otel': VERSION, ai: '7.0.0', '@ai-sdk/otel': '1.0.0' } })?.install).toBeUndefined()
  })
})

describe('a plan for a Python project', () => {
  it.each([
    [{ 'requirements.txt': '# the agent\nlanggraph>=1.0\nrequests==2.0' }, 'LangChain / LangGraph', 'LangChainInstrumentor().instrument('],
    [{ 'pyproject.toml': '[project]\ndependencies = [\n  "Pydantic_AI-slim[openai]>=1",\n]' }, 'Pydantic AI', 'Agent.instrument_all()'],
    [{ 'pyproject.toml': '[tool.poetry.dependencies]\ncrewai = "^1.0"' }, 'CrewAI', 'CrewAIInstrumentor().instrument('],
    [{ 'setup.py': "setup(install_requires=['openai-agents'])" }, 'OpenAI Agents', 'OpenAIAgentsInstrumentor().instrument('],
  ])('names the framework of %j', (files, name, line) => {
    const plan = planOf(files)
    expect(plan?.frameworks.map((framework) => framework.name)).toEqual([name])
    expect(plan?.file.text).toContain(line)
    expect(plan?.holds).toBe(false)
  })

  it('takes a comment for no dependency', () => {
    expect(planOf({ 'requirements.txt': 'requests # not crewai\n# dspy' })?.frameworks).toEqual([])
  })
})

describe('a changed package.json', () => {
  const change = { devDependencies: { '@graphmind-ai/otel': '^1.0.0' }, scripts: { graphmind: 'node .' } }

  it('keeps what is there, and its indentation', () => {
    const text = '{\n\t"name": "app",\n\t"scripts": {\n\t\t"start": "node ."\n\t}\n}\n'
    expect(withChange(text, change)).toBe(
      '{\n\t"name": "app",\n\t"scripts": {\n\t\t"start": "node .",\n\t\t"graphmind": "node ."\n\t},\n\t"devDependencies": {\n\t\t"@graphmind-ai/otel": "^1.0.0"\n\t}\n}\n',
    )
  })

  it('is the same text when nothing is new', () => {
    const text = withChange('{"name":"app"}', change)
    expect(withChange(text, change)).toBe(text)
  })
})

describe('graphmind init', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-init-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  it('prints the lines and writes nothing', async () => {
    put('package.json', '{"dependencies":{"ai":"7.0.0"}}')
    const { exitCode, out } = await runCommandLine(['init', folder])
    expect(exitCode).toBe(0)
    expect(out).toContain('Node: AI SDK 7 (ai)')
    expect(out).toContain('npm install --save-dev @graphmind-ai/otel @ai-sdk/otel')
    expect(() => read('graphmind.mjs')).toThrow()
    expect(read('package.json')).toBe('{"dependencies":{"ai":"7.0.0"}}')
  })

  it('writes them with --write, and again changes nothing', async () => {
    put('package.json', '{"scripts":{"start":"node app.js"},"dependencies":{"ai":"6.0.0"}}')
    const first = JSON.parse((await runCommandLine(['init', folder, '--write', '--json'])).out)
    expect(first.plans[0].written).toEqual(['package.json', 'graphmind.mjs'])
    expect(read('graphmind.mjs')).toContain("import '@graphmind-ai/otel/register'")
    expect(JSON.parse(read('package.json'))).toEqual({
      scripts: { start: 'node app.js', graphmind: 'node --import ./graphmind.mjs app.js' },
      dependencies: { ai: '6.0.0' },
      devDependencies: { '@graphmind-ai/otel': `^${VERSION}` },
    })
    const again = await runCommandLine(['init', folder, '--write', '--json'])
    expect(again.exitCode).toBe(0)
    expect(JSON.parse(again.out).plans[0].written).toEqual([])
  })

  it('leaves a file of that name alone that says something else', async () => {
    put('package.json', '{}')
    put('graphmind.mjs', '// mine')
    const { exitCode, err } = await runCommandLine(['init', folder, '--write'])
    expect(exitCode).toBe(1)
    expect(err).toContain('is there already and says something else')
    expect(read('graphmind.mjs')).toBe('// mine')
    expect(read('package.json')).toBe('{}')
  })

  it('plans for both languages of a project that has two', async () => {
    put('package.json', '{}')
    put('requirements.txt', 'crewai')
    const { plans } = JSON.parse((await runCommandLine(['init', folder, '--json'])).out)
    expect(plans.map((plan: { readonly language: string }) => plan.language)).toEqual(['node', 'python'])
  })

  it.each([
    [undefined, 'has no package.json and no Python requirements'],
    ['go.mod', 'is written in Go'],
  ])('says what to do where only %s is', async (manifest, words) => {
    if (manifest !== undefined) put(manifest, '')
    const { exitCode, err } = await runCommandLine(['init', folder])
    expect(exitCode).toBe(1)
    expect(err).toContain(words)
  })

  it('says that a folder is none', async () => {
    mkdirSync(join(folder, 'empty'))
    expect((await runCommandLine(['init', join(folder, 'nowhere')])).err).toContain('is no folder')
  })
})
