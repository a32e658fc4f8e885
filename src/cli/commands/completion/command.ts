import type { Command } from '../../command.ts';
import { flag, SHELLS } from '../../options.ts';

export const completion: Command = {
  command: 'completion [shell]',
  describe: 'print the script that completes commands, options and values in a shell',
  options: { json: flag('one JSON object on standard output, nothing else') },
  positionals: { shell: { choices: SHELLS, describe: 'the shell (default: that of $SHELL)' } },
  examples: [
    ['completion bash >> ~/.bashrc', 'zsh: >> ~/.zshrc, below compinit'],
    ['completion fish > ~/.config/fish/completions/payrun.fish', 'from the next shell on'],
  ],
  work: () => import('./run.ts'),
};
