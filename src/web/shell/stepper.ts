import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

/** A step of some work that takes several pages. `path` is null where it cannot be opened yet. */
export type Step = { label: string; path: string | null };

/** Where somebody is among the steps, numbered from 0: those before `at` are done. */
export function stepper(steps: readonly Step[], at: number): Html {
  const step = ({ label, path }: Step, n: number) => {
    const isHere = n === at;
    const mark = n < at ? html`${icon('check')}<span class="hidden">done: </span>` : String(n + 1);
    const words = isHere || path === null ? label : html`<a href="${path}">${label}</a>`;
    return html`<li${n < at && html` class="done"`}${isHere && html` aria-current="step"`}><span class="n">${mark}</span>${words}</li>`;
  };
  return html`<ol class="stepper" aria-label="Steps">${steps.map(step)}</ol>`;
}
