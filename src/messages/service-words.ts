import type { PromiseLess, PromisesKept } from '../domain/outcomes/service-outcome.ts';
import { grouped, listed } from './text.ts';
import { t } from './translate.ts';

/** What became of the promises of a profile that is given to a run which began with others. */
export function promisesText(promises: PromisesKept): string {
  switch (promises.kept) {
    case 'before':
      return t`The profile promises more than this run started with. The run keeps its weaker guarantees.`;
    case 'stated':
      return t`From now on this run relies on ${listed(promises.stated.map(statedText))}.`;
    case 'less':
      return t`From now on this run has weaker guarantees, even when it is resumed without this profile: ${promises.less.map(lessText).join('; ')}.`;
  }
}

function statedText({ code, ms }: Extract<PromiseLess, { ms: number }>): string {
  return code === 'listing_lag'
    ? t`a list that is at most ${seconds(ms)} late`
    : t`payments that are made at most ${seconds(ms)} after they arrived`;
}

function lessText(less: PromiseLess): string {
  switch (less.code) {
    case 'may_make_late':
      return t`the service may still make a payment that it did not accept in time`;
    case 'may_make_twice':
      return t`the service may pay twice if it receives a request twice`;
    case 'may_make_after_deadline':
      return t`the service may make a payment after its deadline if it arrived in time`;
    case 'commits_within':
      return t`the service may make a payment ${seconds(less.ms)} after it arrived`;
    case 'refusals_not_final':
      return t`the service may make a payment even if it refused a copy of the request`;
    case 'listing_lag':
      return t`its list may show a payment ${seconds(less.ms)} late`;
    case 'list_cut_off':
      return t`its list ends after one page`;
  }
}

function seconds(ms: number): string {
  return `${grouped(String(ms / 1_000))} s`;
}
