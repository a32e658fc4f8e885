import { basename } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { SHELLS } from '../../options.ts';
import { processIo } from '../../terminal.ts';

const shellName = z.enum(SHELLS);

export const output = z
  .strictObject({ shell: shellName, script: text, exit: exitCode })
  .meta({ description: 'The script that makes the shell complete what is typed after payrun.' });

/**
 * Each asks payrun itself what may follow: yargs answers, in the form of the shell that `SHELL` names. Options are offered
 * for a word that begins as one, and files where there is nothing else to offer.
 */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_payrun() {
  local word="\${COMP_WORDS[COMP_CWORD]}" found
  found="$(SHELL=bash payrun --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2> /dev/null)"
  [[ "$word" == -* ]] || found="$(grep -v '^-' <<< "$found")"
  COMPREPLY=($(compgen -W "$found" -- "$word"))
}
complete -o bashdefault -o default -F _payrun payrun
`,
  zsh: `#compdef payrun
_payrun() {
  local -a found
  found=("\${(@f)$(SHELL=zsh payrun --get-yargs-completions "\${(@)words[1,CURRENT]}" 2> /dev/null)}")
  [[ "\${words[CURRENT]}" == -* ]] || found=("\${(@)found:#-*}")
  found=(\${found:#})
  if (( \${#found} )); then _describe payrun found; else _files; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _payrun "$@"; else compdef _payrun payrun; fi
`,
  fish: `function __payrun
    set -l word (commandline -ct)
    set -l found (env SHELL=fish payrun --get-yargs-completions (commandline -opc) "$word" 2> /dev/null)
    string match -q -- '-*' "$word"; or set found (string match -v -- '-*' $found)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c payrun -f -a '(__payrun)'
`,
};

const optionsSchema = z.object({ shell: shellName.optional(), json: z.boolean().default(false) });

/** `payrun completion [SHELL]`: prints its script. Sets the process's exit code. */
export function run(given: Given): void {
  const { shell: named, json } = optionsSchema.parse(given);
  const shell = named ?? shellName.catch('bash').parse(basename(process.env.SHELL ?? ''));
  const result = { shell, script: SCRIPTS[shell], exit: EXIT.ok };
  const here = { io: processIo(process.env), settings: { json } };
  process.exitCode = print<z.output<typeof output>>(here, result, () => result.script);
}
