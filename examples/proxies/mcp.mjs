// An MCP client that uses a server in every ordinary way. What stands after -- is the server's command, with or without a proxy in front of it:
//   node mcp.mjs everything            the server itself
//   node mcp.mjs everything -- node ../../collector/bin/graphmind.js mcp-proxy --
// MCP_SDK=2 uses the second generation of the SDK. TRACEPARENT goes along in the `_meta` of each call.
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const [name = 'everything', separator, ...inFront] = process.argv.slice(2)
const folder = realpathSync(process.env.MCP_FOLDER ?? mkdtempSync(join(tmpdir(), 'graphmind-mcp-')))
const main = (server) => join(dirname(require.resolve(`@modelcontextprotocol/server-${server}/package.json`)), 'dist', 'index.js')

const PLANS = {
  everything: {
    args: ['stdio'],
    async run(client) {
      console.log('tools', (await client.listTools()).tools.length)
      console.log('echo', await call(client, 'echo', { message: 'Grüße, 世界 🌍' }))
      console.log('sum', await call(client, 'get-sum', { a: 2, b: 40 }))
      console.log('failure', await call(client, 'no-such-tool', {}))
      console.log('sampling', await call(client, 'trigger-sampling-request', { prompt: 'hi', maxTokens: 5 }))
      const { resources } = await client.listResources()
      for (const { uri } of resources.slice(0, 2)) console.log('resource', (await client.readResource({ uri })).contents.length)
      const { prompts } = await client.listPrompts()
      console.log('prompt', (await client.getPrompt({ name: prompts[0].name })).messages.length)
      await client.ping()
    },
  },
  filesystem: {
    args: [folder],
    async run(client) {
      writeFileSync(join(folder, 'a.txt'), 'first line\nsecond line\n')
      console.log('tools', (await client.listTools()).tools.length)
      console.log('read', await call(client, 'read_text_file', { path: join(folder, 'a.txt') }))
      console.log('write', await call(client, 'write_file', { path: join(folder, 'b.txt'), content: 'ü'.repeat(100_000) }))
      console.log('large', (await call(client, 'read_text_file', { path: join(folder, 'b.txt') })).length)
      console.log('failure', await call(client, 'read_text_file', { path: '/etc/hostname' }))
    },
  },
}

async function call(client, tool, args) {
  const _meta = process.env.TRACEPARENT === undefined ? undefined : { traceparent: process.env.TRACEPARENT }
  try {
    const { content, isError } = await client.callTool({ name: tool, arguments: args, ...(_meta === undefined ? {} : { _meta }) })
    const text = content.map((part) => part.text ?? part.type).join(' ')
    return isError === true ? `error: ${text}` : text
  } catch (error) {
    return `refused: ${error.message}`
  }
}

async function connected() {
  const info = { name: 'graphmind-example', version: '1.0.0' }
  const options = { capabilities: { sampling: {} } }
  const [command, ...args] = [...(separator === '--' ? inFront : []), process.execPath, main(name), ...PLANS[name].args]
  const transportOptions = { command, args, env: process.env, stderr: 'inherit' }
  const answer = () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } })
  if (process.env.MCP_SDK === '2') {
    const { Client } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const client = new Client(info, options)
    client.setRequestHandler('sampling/createMessage', answer)
    await client.connect(new StdioClientTransport(transportOptions))
    return client
  }
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const { CreateMessageRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const client = new Client(info, options)
  client.setRequestHandler(CreateMessageRequestSchema, answer)
  await client.connect(new StdioClientTransport(transportOptions))
  return client
}

const client = await connected()
try {
  await PLANS[name].run(client)
} finally {
  await client.close()
}
console.log('done')
