/** How pages show an Australian account by its last four digits. */
export function shownNpp(end: string): string {
  return `<span class="account" title="AUD_NPP ••••${end}">AU ••${end} <span class="soft">NPP</span></span>`;
}
