// Picks a recipient who was paid before, and puts them into the row that is chosen.

const TYPING_MS = 200;
/** While the earlier payments are still being read. */
const AGAIN_MS = 1_000;
const TRIES_MAX = 60;

export function openRecipients(dialog, path, onPick) {
  const search = dialog.querySelector('[data-recipient-search]');
  const list = dialog.querySelector('[data-recipient-list]');
  let asked = 0;
  let timer = null;

  const show = async (tries = 0) => {
    const own = ++asked;
    const answer = await fetch(`${path}?${new URLSearchParams({ search: search.value.trim() })}`).catch(() => null);
    if (own !== asked || !dialog.open) return;
    const { state, recipients = [] } = answer?.ok ? await answer.json() : { state: 'failed' };
    if (state === 'reading' && tries < TRIES_MAX) setTimeout(() => void show(tries + 1), AGAIN_MS);
    const none = {
      reading: say('Reading earlier payments…'),
      failed: say('The page cannot be reached.'),
    }[state];
    list.replaceChildren(...recipients.map(item));
    if (recipients.length === 0) list.append(text('li', none ?? say('No such recipient was paid before.')));
  };
  const item = ({ id, name, payeeId, account, currency, paid }) => {
    const button = Object.assign(text('button', name), { type: 'button' });
    button.append(' ', text('span', [payeeId, account, currency, say('paid #', paid)].filter(Boolean).join(' · ')));
    button.addEventListener('click', () => {
      dialog.close();
      onPick(id);
    });
    const line = document.createElement('li');
    line.append(button);
    return line;
  };

  search.value = '';
  search.oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), TYPING_MS);
  };
  dialog.showModal();
  void show();
}

function text(name, words) {
  return Object.assign(document.createElement(name), { textContent: words });
}
