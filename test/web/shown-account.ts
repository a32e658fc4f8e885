/** How pages show an Australian account by its last four digits. */
export function shownNpp(end: string): string {
  return `<span class="account">AU ••${end} <small>NPP</small></span>`;
}
