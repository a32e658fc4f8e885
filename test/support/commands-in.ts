const COMMANDS =
  'check|plan|approve|run|resume|retry|resolve|cancel|jobs|schedule|runs|show|report R|verify|journal|template|web|service|keys';
const OF_COMMANDS = new RegExp(`(?:^|[\\s("\`'>])--[a-z][a-z-]*|\\bpayrun (?:${COMMANDS})\\b|--data-dir`, 'g');

/** What of a page or a file only somebody at a command line can follow. */
export function commandsIn(text: string): string[] {
  return text.replace(/<(?:style)>.*?<\/style>|<[^>]*>/gs, ' ').match(OF_COMMANDS) ?? [];
}
