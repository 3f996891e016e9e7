import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import type { SkillFlags } from '../skill/skill.ts'

export function addSkill(program: Command, cli: Cli): void {
  program
    .command('skill')
    .helpGroup(GROUPS.agents)
    .summary('print an Agent Skill that teaches a coding agent these commands')
    .description('Print an Agent Skill (SKILL.md) that teaches a coding agent to debug with these commands, or write it into this project.')
    .option('--install', 'write .claude/skills/graphmind/SKILL.md')
    .option('--force', 'with --install: write over another one')
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind skill --install', 'for Claude Code, in this project'],
          ['graphmind skill > SKILL.md', 'for any other agent'],
        ],
        'ask the agent to find out why the last run failed.',
      ),
    )
    .action((flags: SkillFlags) => cli.perform(async () => (await import('../skill/skill.ts')).skill(flags, cli, process.cwd())))
}
