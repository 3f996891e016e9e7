import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import type { ImportFlags } from '../import/import-files.ts'
import { databaseOption, jsonOption } from '../options.ts'

export function addImport(program: Command, cli: Cli): void {
  program
    .command('import')
    .helpGroup(GROUPS.recorded)
    .summary('read trace files into runs')
    .description(
      'Read trace files into runs: OTLP, Jaeger, Zipkin, Phoenix, Langfuse, MLflow, Python SDK spans, GraphMind NDJSON; packed with gzip or zstd, too.',
    )
    .argument('<files...>', 'files, folders, or - for stdin')
    .addOption(databaseOption())
    .option('--port <n>', 'port for links when no server is running (default 4747)')
    .addOption(jsonOption('one document {runs, skipped}'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind import trace.json', 'one file'],
          ['graphmind import traces/ more.jsonl.gz', 'a folder and a packed file'],
          ['kubectl logs collector | graphmind import -', 'what another program prints'],
        ],
        'open a link it prints, or graphmind to see the list.',
      ),
    )
    .action((files: string[], flags: ImportFlags) =>
      cli.perform(async () => (await import('../import/import-files.ts')).importFiles(files, flags, cli)),
    )
}
