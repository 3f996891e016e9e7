import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import type { TrustGraphFlags } from '../trustgraph-proxy/run-proxy.ts'

export function addTrustGraphProxy(program: Command, cli: Cli): void {
  program
    .command('trustgraph-proxy')
    .helpGroup(GROUPS.watch)
    .summary('debug TrustGraph clients: put this between them and the gateway')
    .description(
      'Relay the WebSocket between TrustGraph clients and their gateway, show each connection as a run, and hold, replace and repeat requests. Neither side needs a change but the address.',
    )
    .requiredOption('--upstream <url>', "the gateway's socket, like ws://localhost:8088/api/v1/socket")
    .option('--listen <port>', 'port for the clients on 127.0.0.1 (default 4748)')
    .option('--port <n>', 'port of GraphMind (default $GRAPHMIND_URL, else 4747)')
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind trustgraph-proxy --upstream ws://localhost:8088/api/v1/socket', 'a gateway up to 2.8.5'],
          [
            'graphmind trustgraph-proxy --upstream ws://localhost:8888/api/v1/socket --listen 9000',
            'a newer one, on a port of your choice',
          ],
        ],
        'give your client the printed address in place of the gateway’s (docs/proxies.md).',
      ),
    )
    .action((flags: TrustGraphFlags) =>
      cli.perform(async () => (await import('../trustgraph-proxy/run-proxy.ts')).trustGraphProxy(flags, cli)),
    )
}
