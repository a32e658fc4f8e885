import { type Html, html, type Shown } from './html.ts';
import { type IconName, icon } from './icon.ts';

/** One thing that somebody has to do: what, why, how much it is about, and the button that leads to it. */
export type Todo = {
  icon: IconName;
  tone: 'go' | 'warn' | 'bad' | 'idle';
  what: Shown;
  why: readonly Shown[];
  amount: Html | null;
  path: string;
  act: Shown;
};

export function todoList(todos: readonly Todo[]): Html {
  const items = todos.map(
    ({ icon: sign, tone, what, why, amount, path, act }, at) =>
      html`<li><span class="tile ${tone}">${icon(sign)}</span><span class="what" id="todo-${at}"><b>${what}</b><span class="soft small">${dotted(why)}</span></span><span class="amount">${amount}</span><a class="button" href="${path}" aria-describedby="todo-${at}">${act}</a></li>`,
  );
  return html`<ul class="todo">${items}</ul>`;
}

/** What is not empty, with dots between. */
function dotted(parts: readonly Shown[]): Html[] {
  const shown = parts.filter((part) => part !== null && part !== false && part !== '');
  return shown.map((part, at) => html`${at > 0 && ' · '}${part}`);
}
